import assert from 'node:assert/strict';
import { it } from 'node:test';
import { serverAddressOf } from './advertise-address.js';

it('names the address that the server advertises, or else the bound one', () => {
  for (const [bindAddress, advertiseAddress, expected] of [
    ['127.0.0.1', undefined, '127.0.0.1:6443'],
    ['::1', undefined, '[::1]:6443'],
    ['192.0.2.7', undefined, '192.0.2.7:6443'],
    ['127.0.0.1', '192.0.2.1', '192.0.2.1:6443'],
    ['0.0.0.0', '2001:db8::1', '[2001:db8::1]:6443'],
  ] as const) {
    assert.equal(serverAddressOf({ bindAddress, advertiseAddress }, 6443), expected);
  }
});
