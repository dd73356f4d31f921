/** TLS handshakes that cost too much. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { costlyChain, costlyKinds } from './costly-certificates.mjs';
import { MeasuredServer, SILENCE_LIMIT_MS, SILENCE_WANTED_MS } from './measured-server.mjs';

const CONNECTIONS = 10;

describe('handshakes with costly certificates', { timeout: 600_000 }, () => {
  let server;
  before(async () => {
    server = await MeasuredServer.start();
  });
  after(() => server.stop());

  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    for (const kind of costlyKinds) {
      for (const count of [6, 45, 60]) {
        it(`${count} of them on each of ${CONNECTIONS} connections, ${kind}, ${version}`, async (test) => {
          const chain = costlyChain(kind, count);
          const { silence, answer } = await server.measure(() =>
            Promise.all(Array.from({ length: CONNECTIONS }, () => outcome({ ...chain, maxVersion: version }))),
          );
          const above = silence > SILENCE_WANTED_MS ? ', above the goal' : '';
          test.diagnostic(`${silence} ms of silence${above}; ${[...new Set(answer)].join()}`);
          assert.ok(silence < SILENCE_LIMIT_MS, `${silence} ms of silence`);
          assert.equal((await server.client.send('GET', '/readyz')).status, 200);
        });
      }
    }
  }

  /** Settles when the server has answered a request, or has closed the connection. */
  function outcome(options) {
    return new Promise((resolve) => {
      const { hostname, port } = server.client.address;
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ...options });
      const settle = (text) => {
        socket.destroy();
        resolve(text);
      };
      socket.once('error', ({ code }) => settle(code));
      socket.once('close', () => settle('closed'));
      socket.once('data', (bytes) => settle(bytes.toString().split('\r\n')[0]));
      socket.write('GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n');
    });
  }
});
