import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { Egress } from '../egress/index.js';
import { makeTestCertificate } from '../testing/index.js';
import { Backends } from './backends.js';

it('keeps connections of a service until it is forgotten, and then no more', async () => {
  const { certificate: cert, privateKey: key } = makeTestCertificate('/CN=backend');
  const server = createServer({ cert, key }, (_, response) => response.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const address = { host: '127.0.0.1', port, authority: `127.0.0.1:${String(port)}` };
  const reference = { namespace: 'n', name: 's', port, caBundle: '', insecure: true };
  const resolve = () => Promise.resolve(address);
  const backends = new Backends({ resolve, egress: new Egress(), identity: undefined });
  const { signal } = new AbortController();
  const send = async () => {
    const sent = backends.open('v1.g', reference, address, { method: 'GET', url: '/', headers: {}, signal });
    sent.end();
    const message = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    message.resume();
    await once(message, 'end');
    // The agent takes the connection back in the next turn.
    await new Promise((next) => setImmediate(next));
    return sent.reusedSocket;
  };
  try {
    backends.keep('v1.g');
    assert.deepEqual([await send(), await send()], [false, true]);
    backends.forget('v1.g');
    // Such a request has begun before.
    assert.deepEqual([await send(), await send()], [false, false]);
    const closed = new Promise((done) => server.close(done));
    await closed;
  } finally {
    backends.close();
    server.closeAllConnections();
  }
});
