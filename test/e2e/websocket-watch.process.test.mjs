import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { start } from 'binnacle';

const { WebSocket } = createRequire(import.meta.url)('ws');

const configMaps = '/api/v1/namespaces/default/configmaps';
const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  origin: 'https://dashboard.example',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
};
const tokenProtocol = (token) =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url').replaceAll('=', '')}`;

describe('watches over WebSocket', { timeout: 600_000 }, () => {
  let folder;
  let server;
  let admin;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-websocket-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'nobody-token,nobody,1\n');
    server = await start({ inMemory: true, controllers: '', tokenAuthFile });
    admin = { authorization: `Bearer ${server.clientConfig.token}` };
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const send = (method, path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const options = { hostname, port, method, path, rejectUnauthorized: false, agent: false };
      const request = httpsRequest({ ...options, headers: { ...admin, 'content-type': type, ...headers } });
      request.once('error', reject);
      request.once('upgrade', (response, socket) => {
        socket.destroy();
        resolve({ status: response.statusCode });
      });
      request.once('response', async (response) => {
        const chunks = await response.toArray();
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, headers: response.headers, text });
      });
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });

  const create = (name, more = {}) => {
    const { labels = {}, data = {} } = more;
    return send('POST', configMaps, { metadata: { name, labels }, data });
  };

  const open = (path, { headers = admin, protocols = [], origin = 'https://dashboard.example' } = {}) => {
    const url = `${server.url.replace('https', 'wss')}${path}`;
    const options = { rejectUnauthorized: false, headers, ...(origin === null ? {} : { origin }) };
    const socket = new WebSocket(url, protocols, options);
    const messages = [];
    let notify = () => undefined;
    socket.on('message', (data, isBinary) => {
      messages.push({ text: data.toString(), isBinary });
      notify();
    });
    socket.on('error', () => undefined);
    const next = async () => {
      while (messages.length === 0) await new Promise((resolve) => (notify = resolve));
      const { text, isBinary } = messages.shift();
      assert.equal(isBinary, false);
      assert.ok(text.endsWith('}\n'));
      const { type, object } = JSON.parse(text);
      return `${type} ${object.metadata.name ?? ''}`.trim();
    };
    return { socket, next, closed: once(socket, 'close'), messages };
  };

  const refusal = async (path, options) => {
    const { socket } = open(path, options);
    const [, response] = await once(socket, 'unexpected-response');
    const chunks = await response.toArray();
    return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
  };

  it('sends every event as a text message', async () => {
    await create('seen', { labels: { app: 'a' } });
    const { socket, next, closed } = open(`${configMaps}?watch=1&labelSelector=app%3Da`);
    assert.equal(await next(), 'ADDED seen');
    socket.send('whatever');
    socket.ping('x');
    assert.equal(String((await once(socket, 'pong'))[0]), 'x');
    await create('unseen');
    await Promise.all(['one', 'two', 'three'].map((name) => create(name, { labels: { app: 'a' } })));
    const added = [await next(), await next(), await next()].sort();
    assert.deepEqual(added, ['ADDED one', 'ADDED three', 'ADDED two']);
    await send('PATCH', `${configMaps}/seen`, { data: { a: 'b' } });
    assert.equal(await next(), 'MODIFIED seen');
    await send('DELETE', `${configMaps}/seen`);
    assert.equal(await next(), 'DELETED seen');
    socket.close(1000);
    assert.equal((await closed)[0], 1000);
  });

  it('marks the end of initial events, and closes at the timeout', async () => {
    await create('initial', { labels: { app: 'initial' } });
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const { next, closed } = open(`${configMaps}?${query}&labelSelector=app%3Dinitial&timeoutSeconds=1`);
    assert.equal(await next(), 'ADDED initial');
    assert.equal(await next(), 'BOOKMARK');
    assert.equal((await closed)[0], 1000);
  });

  it('serves the legacy watch paths and tables', async () => {
    await create('table');
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const { socket, messages } = open(`/api/v1/watch/namespaces/default/configmaps/table`, {
      headers: { ...admin, accept },
    });
    await once(socket, 'message');
    assert.equal(JSON.parse(messages[0].text).object.kind, 'Table');
    socket.terminate();
  });

  it('accepts a token as sub-protocol, and selects another one', async () => {
    const token = tokenProtocol(server.clientConfig.token);
    const { socket } = open(`${configMaps}?watch=1`, { headers: {}, protocols: [token, 'base64.binary.k8s.io'] });
    await once(socket, 'open');
    assert.equal(socket.protocol, 'base64.binary.k8s.io');
    socket.terminate();
  });

  it('refuses in plain HTTP', async () => {
    const watch = `${configMaps}?watch=1`;
    const status = async (path, options) => {
      const { status: code, text } = await refusal(path, options);
      if (text !== '') assert.equal(JSON.parse(text).code, code);
      return code;
    };
    assert.equal(await status(watch, { headers: {} }), 403);
    assert.equal(await status(watch, { headers: {}, protocols: [tokenProtocol('wrong'), 'a'] }), 401);
    assert.equal(await status(watch, { headers: {}, protocols: [tokenProtocol(server.clientConfig.token)] }), 401);
    assert.equal(await status(watch, { headers: {}, protocols: [tokenProtocol('nobody-token'), 'a'] }), 403);
    assert.equal(await status(`${watch}&labelSelector=%3D%3D`), 400);
    assert.equal(await status(watch, { origin: null }), 403);
    assert.equal(await status(watch, { protocols: ['a', 'b'] }), 400);
    const key = await send('GET', watch, undefined, { ...upgrade, 'sec-websocket-key': 'x' });
    assert.equal(key.status, 400);
  });

  it('ignores the upgrade of a request that is not a watch', async () => {
    const list = await send('GET', configMaps, undefined, upgrade);
    assert.equal(list.status, 200);
    assert.equal(JSON.parse(list.text).kind, 'ConfigMapList');
    const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
    const created = await send('POST', configMaps, { metadata: { name: 'by-h2c' } }, h2c);
    assert.equal(created.status, 201);
    assert.equal(created.headers.connection, 'keep-alive');
    const nul = await send('GET', '/nothing/here', undefined, upgrade);
    assert.equal(nul.status, 404);
  });

  it('refuses exec, attach and port-forward with an error', async () => {
    for (const name of ['exec?command=ls&stdout=1', 'attach?stdout=1', 'portforward?ports=1', 'log']) {
      const path = `/api/v1/namespaces/default/pods/none/${name}`;
      const answers = await Promise.all([
        send('GET', path, undefined, { ...upgrade, 'sec-websocket-protocol': 'v5.channel.k8s.io' }),
        send('POST', path, undefined, { connection: 'Upgrade', upgrade: 'SPDY/3.1' }),
      ]);
      for (const { status, text } of answers) {
        assert.ok(status >= 400, `${name}: ${status}`);
        assert.equal(JSON.parse(text).code, status);
      }
    }
  });

  /** A WebSocket whose client reads only the head of the answer. */
  const silent = async (path) => {
    const { hostname, port } = new URL(server.url);
    const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    const lines = Object.entries({ host: hostname, ...upgrade, ...admin }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const [head] = await once(socket, 'data');
    assert.match(head.toString('latin1'), /^HTTP\/1\.1 101 /);
    socket.pause();
    return socket;
  };

  it('uses little memory for a client that keeps sending and never reads', async () => {
    const socket = await silent(`${configMaps}?watch=1`);
    const ping = Buffer.concat([Buffer.of(0x89, 0x80 | 125, 0, 0, 0, 0), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 10_000 }, () => ping));
    const before = process.memoryUsage().external;
    for (let round = 0; round < 20; round++) {
      if (!socket.write(pings)) await once(socket, 'drain');
    }
    assert.ok(process.memoryUsage().external - before < 16 * 1024 * 1024);
    socket.destroy();
  });

  it('releases clients that disconnect in the middle of a message', async () => {
    const half = Buffer.concat([Buffer.of(0x82, 0x80 | 126, 0xea, 0x60, 0, 0, 0, 0), Buffer.alloc(30_000)]);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => silent(`${configMaps}?watch=1`)));
    await Promise.all(
      sockets.map(async (socket) => {
        const closed = once(socket, 'close');
        socket.resume().end(half);
        await closed;
      }),
    );
  });

  it('closes on a message that is too long, and survives invalid frames', async () => {
    const { socket, closed } = open(`${configMaps}?watch=1`);
    await once(socket, 'open');
    socket.send('x'.repeat(100_000));
    assert.equal((await closed)[0], 1009);
    const raw = await silent(`${configMaps}?watch=1`);
    raw.resume();
    raw.write(Buffer.alloc(100, 0xff));
    await once(raw, 'close');
    assert.equal((await send('GET', configMaps)).status, 200);
  });

  it('closes at the timeout although the client does not read', async () => {
    const big = { labels: { app: 'big' }, data: { a: 'x'.repeat(900_000) } };
    for (let index = 0; index < 12; index++) await create(`big-${index}`, big);
    const socket = await silent(`${configMaps}?watch=1&labelSelector=app%3Dbig&timeoutSeconds=1`);

    await new Promise((resolve) => setTimeout(resolve, 7500));
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length)).resume();
    await once(socket, 'close');
    assert.ok(received < 12 * 900_000, `${received} bytes were kept for it`);
  });

  it('closes when the server stops', async () => {
    const other = await start({ inMemory: true, controllers: '' });
    const socket = new WebSocket(`${other.url.replace('https', 'wss')}${configMaps}?watch=1`, {
      rejectUnauthorized: false,
      origin: 'https://dashboard.example',
      headers: { authorization: `Bearer ${other.clientConfig.token}` },
    });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await other.stop();
    assert.equal((await closed)[0], 1000);
  });
});
