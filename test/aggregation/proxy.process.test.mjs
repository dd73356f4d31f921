import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { after, before, it } from 'node:test';
import { BASE, Cluster, eventually, Extension } from './extension.mjs';

const MIB = 1024 * 1024;
const UPLOAD = 48;
/** What sockets, TLS and streams hold on the way. */
const MOST_HELD = 24 * MIB;

const piece = randomBytes(MIB);
const hashOf = (pieces) => {
  const hash = createHash('sha256');
  for (let count = 0; count < pieces; count++) hash.update(piece);
  return hash.digest('hex');
};

let cluster;
let extension;
before(async () => {
  [cluster, extension] = await Promise.all([Cluster.start(), Extension.start()]);
  await cluster.connect(extension);
});
after(() => Promise.all([cluster.stop(), extension.stop()]));

/** The bytes that the client's socket has taken, once they no longer change. */
async function settled(count) {
  for (let last = -1; ; ) {
    const now = count();
    if (now === last && now > 0) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

it('an upload goes as fast as the backend reads it, and arrives whole', async () => {
  const reading = deferred();
  extension.answer = async (request, response) => {
    await reading.promise;
    const hash = createHash('sha256');
    for await (const chunk of request) hash.update(chunk);
    response.end(hash.digest('hex'));
  };
  const sent = cluster.open('POST', `${BASE}/things`);
  let taken = 0;
  const upload = (async () => {
    for (let count = 0; count < UPLOAD; count++) {
      await new Promise((resolve) => sent.write(piece, resolve));
      taken += piece.length;
    }
    sent.end();
  })();
  assert.ok((await settled(() => taken)) < MOST_HELD, 'the server reads no further than the backend');
  reading.resolve();
  const [response] = await once(sent, 'response');
  await upload;
  assert.equal(await textOf(response), hashOf(UPLOAD));
});

it('a download goes as fast as the client reads it', async () => {
  let written = 0;
  extension.answer = async (_, response) => {
    for (let count = 0; count < UPLOAD; count++) {
      await new Promise((resolve) => response.write(piece, resolve));
      written += piece.length;
    }
    response.end();
  };
  const sent = cluster.open('GET', `${BASE}/things`);
  sent.end();
  const [response] = await once(sent, 'response');
  assert.ok((await settled(() => written)) < MOST_HELD, 'the server reads no further than the client');
  const hash = createHash('sha256');
  for await (const chunk of response) hash.update(chunk);
  assert.equal(hash.digest('hex'), hashOf(UPLOAD));
});

it('an upload over HTTP/2 arrives, and one that is cut off never ends well', async () => {
  const { token, certificateAuthority: ca } = cluster.server.clientConfig;
  const session = connect(cluster.server.url, { ca });
  const headers = { ':method': 'POST', ':path': `${BASE}/things`, authorization: `Bearer ${token}` };
  extension.answer = async (request, response) => response.end(String((await bytesOf(request)).length));
  const whole = session.request(headers);
  whole.end(Buffer.alloc(5 * MIB));
  assert.equal(await textOf(whole), String(5 * MIB));
  // A method that seldom has a body.
  const deletion = session.request({ ...headers, ':method': 'DELETE' }, { endStream: false });
  deletion.end('{}');
  assert.equal(await textOf(deletion), '2');

  const outcome = deferred();
  extension.answer = (request) => {
    request.on('error', () => outcome.resolve('broken off'));
    request.on('end', () => outcome.resolve('ended'));
    request.resume();
  };
  const cut = session.request(headers);
  cut.on('error', () => undefined);
  cut.write(Buffer.alloc(1000));
  await eventually(() => cut.writableLength === 0, 'the first bytes');
  await new Promise((resolve) => setTimeout(resolve, 200));
  session.on('error', () => undefined);
  session.destroy();
  assert.equal(await outcome.promise, 'broken off');
});

it('watches: each event arrives at once, and the backend learns that the client has left', async () => {
  const left = deferred();
  let write;
  extension.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    write = (text) => response.write(text);
    write('one\n');
    response.on('close', () => left.resolve());
  };
  const sent = cluster.open('GET', `${BASE}/things?watch=true`);
  sent.on('error', () => undefined);
  sent.end();
  const [response] = await once(sent, 'response');
  assert.equal(String((await once(response, 'data'))[0]), 'one\n');
  write('two\n');
  assert.equal(String((await once(response, 'data'))[0]), 'two\n');
  sent.destroy();
  await left.promise;
});

it('an answer that the backend breaks off does not end well', async () => {
  extension.answer = (_, response) => {
    response.write('half');
    setTimeout(() => response.destroy(), 100);
  };
  await assert.rejects(cluster.send('GET', `${BASE}/things`), /aborted|hang up|ECONNRESET/);
});

it('a connection that the backend has closed meanwhile is replaced', async () => {
  extension.answer = (_, response) => response.end('fine');
  assert.equal((await cluster.send('GET', `${BASE}/things`)).text, 'fine');
  extension.answer = (request, response) => {
    if (extension.cut !== true) {
      extension.cut = true;
      request.socket.destroy();
    } else response.end('again');
  };
  assert.equal((await cluster.send('GET', `${BASE}/things`)).text, 'again');
});

for (const [protocol, method] of [
  ['websocket', 'GET'],
  ['SPDY/3.1', 'POST'],
]) {
  it(`${protocol}: the connection joins client and backend, until either leaves`, async () => {
    const ended = deferred();
    extension.server.removeAllListeners('upgrade');
    extension.server.on('upgrade', (request, socket, head) => {
      assert.equal(request.headers.upgrade, protocol);
      assert.equal(request.headers['x-remote-user'], 'kubernetes-admin');
      assert.equal(request.headers.authorization, undefined);
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\nX-Own: yes\r\n\r\n`,
      );
      socket.write(head);
      socket.pipe(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => ended.resolve());
    });
    const headers = { connection: 'Upgrade', upgrade: protocol };
    const sent = cluster.open(method, `${BASE}/namespaces/x/things/a/exec?command=x`, { headers });
    sent.end();
    const [response, socket] = await once(sent, 'upgrade');
    assert.equal(response.headers['x-own'], 'yes');
    for (const text of ['ping', 'pong']) {
      socket.write(text);
      assert.equal(String((await once(socket, 'data'))[0]), text);
    }
    socket.destroy();
    await ended.promise;
  });
}

it('headers that the backend repeats reach clients of HTTP/2', async () => {
  const { token, certificateAuthority: ca } = cluster.server.clientConfig;
  const session = connect(cluster.server.url, { ca });
  const names = ['content-type', 'etag', 'date', 'retry-after', 'x-content-type-options'];
  extension.answer = (_, response) => {
    for (const name of names) response.setHeader(name, ['one', 'two']);
    response.end('whole');
  };
  const sent = session.request({ ':path': `${BASE}/things`, authorization: `Bearer ${token}` });
  const [headers] = await once(sent, 'response');
  assert.equal(await textOf(sent), 'whole');
  for (const name of names) assert.match(headers[name], /^one(, two)?$/);
  session.close();
});

it('a backend that switches protocols unasked fails the request', { timeout: 600_000 }, async () => {
  extension.answer = (_, response) => {
    response.writeHead(101, { connection: 'Upgrade', upgrade: 'own' });
    response.end();
  };
  const { status, text } = await cluster.send('GET', `${BASE}/things`);
  const reason = 'backend tried to switch protocol "own" when "" was requested';
  assert.deepEqual([status, text], [503, `error trying to reach service: ${reason}\n`]);
});

it('an upgrade that the backend declines is an answer like any other', async () => {
  extension.server.removeAllListeners('upgrade');
  extension.answer = (_, response) => {
    response.writeHead(403);
    response.end('no');
  };
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
  const { status, text } = await cluster.send('POST', `${BASE}/namespaces/x/things/a/exec`, undefined, { headers });
  assert.deepEqual([status, text], [403, 'no']);
});

it('after the APIService is deleted, its paths are unknown again', async () => {
  await cluster.send('DELETE', `/apis/apiregistration.k8s.io/v1/apiservices/v1.ext.example.com`);
  await eventually(async () => (await cluster.send('GET', `${BASE}/things`)).status === 404, '404');
});

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function bytesOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function textOf(stream) {
  return (await bytesOf(stream)).toString();
}
