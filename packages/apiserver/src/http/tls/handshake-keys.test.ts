import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HandshakeKeys } from './handshake-keys.js';

const line = (name: string, secret: string): string => `${name} ${'ab'.repeat(32)} ${secret}\n`;
const secret = 'b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21';
const [header, record] = [
  '1703030035',
  '75ec4dc238cce60b298044a71e219c56cc77b0517fe9b93c7a4bfc44d87f38f80338ac98fc46deb384bd1caeacab6867d726c40546',
].map((hex) => Buffer.from(hex, 'hex')) as [Buffer, Buffer];

it('opens the record of RFC 8448, section 3, once, and no other', () => {
  const read = (): HandshakeKeys => {
    const keys = HandshakeKeys.read(line('CLIENT_HANDSHAKE_TRAFFIC_SECRET', secret), 'TLS_AES_128_GCM_SHA256');
    return keys instanceof HandshakeKeys ? keys : assert.fail();
  };
  const keys = read();
  const content = keys.open(header, record);
  assert.equal(content?.toString('hex'), '14000020a8ec436d677634ae525ac1fcebe11a039ec17694fac6e98527b642f2edd5ce6116');
  assert.equal(keys.open(header, record), undefined, 'the next record has another number');
  assert.equal(read().open(header, record.subarray(1)), undefined);
  assert.equal(read().open(header, Buffer.alloc(3)), undefined);
});

it('passes over other secrets, and says which cipher suites it does not know', () => {
  assert.equal(HandshakeKeys.read(line('CLIENT_TRAFFIC_SECRET_0', secret), 'TLS_AES_128_GCM_SHA256'), undefined);
  assert.equal(HandshakeKeys.read(line('CLIENT_RANDOM', secret), 'ECDHE-RSA-AES128-SHA'), undefined);
  const client = line('CLIENT_HANDSHAKE_TRAFFIC_SECRET', secret);
  assert.equal(HandshakeKeys.read(client, 'TLS_AES_128_CCM_SHA256'), 'unknown');
});
