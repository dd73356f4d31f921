import assert from 'node:assert/strict';
import { it } from 'node:test';
import { clientOf } from './client-of.js';

it('a client is told from others by its certificate, its credentials or its address', () => {
  const anonymous = { peerCertificate: undefined, headers: {}, remoteAddress: '127.0.0.1' };
  const token = (name: string) => ({ ...anonymous, headers: { authorization: `Bearer ${name}` } });
  const certificate = (sha256: string) => ({
    ...token(sha256),
    peerCertificate: { commonName: 'a', organizations: [], validity: [], sha256 },
  });
  assert.equal(clientOf(anonymous), '127.0.0.1');
  assert.equal(clientOf(token('a')), clientOf(token('a')));
  assert.notEqual(clientOf(token('a')), clientOf(token('b')));
  assert.equal(clientOf(token('a'.repeat(10_000))).length, 44);
  assert.equal(clientOf(certificate('1234')), '1234');
});
