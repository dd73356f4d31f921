import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { it } from 'node:test';
import { connect } from 'node:tls';
import { systemClock } from '@binnacle/apimachinery/clock';
import { createIssuer } from '@binnacle/client/certificates';
import { handedServer } from './handed-server.js';

it('a server that does not listen ends a connection whose request does not come', async () => {
  const issuer = await createIssuer('ca', systemClock.now());
  const { certificate: cert, privateKey: key } = issuer.issueServing('kubelet', ['localhost']);
  const limits = { headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 1 };
  const server = handedServer({ cert, key, ...limits });
  const [mine, theirs] = duplexPair();
  server.emit('connection', theirs);
  const socket = connect({ socket: mine, rejectUnauthorized: false });
  socket.write('GET / HTTP/1.1\r\n');
  // The checks of a server keep no process alive.
  const alive = setInterval(() => undefined, 1000);
  try {
    const [error] = (await once(server, 'clientError')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT');
  } finally {
    clearInterval(alive);
    socket.destroy();
    theirs.destroy();
    server.close();
  }
});
