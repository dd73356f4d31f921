import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Exchange } from '../request/index.js';
import { makeTestCertificate } from '../testing/index.js';
import { createHttpsServer } from './https-server.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Serves one request over HTTP/2, and returns a weak reference to the handler, which only the server held. */
async function serveOnce(): Promise<WeakRef<object>> {
  const handler = (exchange: Exchange) => exchange.respond(200, {}, 'aye');
  const tls = { ...makeTestCertificate('/CN=localhost'), clientCertificateAuthorities: [] };
  const server = createHttpsServer({ tls, handler });
  const { port } = await server.listen('127.0.0.1', 0);
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  assert.equal(await text(session.request({ ':path': '/' })), 'aye');
  session.close();
  await once(session, 'close');
  await server.close({ drainMs: 0 });
  return new WeakRef(handler);
}

it('a server that has closed is forgotten at once, whatever its clients have done', async () => {
  const handler = await serveOnce();
  for (let turns = 0; turns < 20 && handler.deref() !== undefined; turns++) {
    await setImmediate();
    collectGarbage();
  }
  assert.equal(handler.deref(), undefined);
});
