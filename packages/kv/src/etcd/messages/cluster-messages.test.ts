import assert from 'node:assert/strict';
import { it } from 'node:test';
import { authenticateMethod, leaseGrantMethod, statusMethod } from './cluster-messages.js';
import { field, header, message } from './fields.testing.js';

it('a lease is requested for seconds, and has a 64-bit id', () => {
  assert.deepEqual(leaseGrantMethod.encode(3660), field(1, 3660));
  const id = 7_587_862_094_938_112_345n;
  assert.deepEqual(leaseGrantMethod.decode(message(header(9), field(2, id), field(3, 3660))), { id });
});

it('the status of a member has its revision, version and size', () => {
  assert.equal(statusMethod.encode(undefined).length, 0);
  const answer = message(header(9), field(2, '3.5.21'), field(3, 2 ** 33), field(4, 12345678901234567890n));
  assert.deepEqual(statusMethod.decode(answer), { revision: 9, version: '3.5.21', sizeBytes: 2 ** 33 });
});

it('a login has a name and a password in UTF-8, and returns a token', () => {
  const request = authenticateMethod.encode({ user: 'rené', password: 'sécret' });
  assert.deepEqual(request, message(field(1, 'rené'), field(2, 'sécret')));
  assert.equal(authenticateMethod.decode(message(header(9), field(2, 'token.1'))), 'token.1');
});
