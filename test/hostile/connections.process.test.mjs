/** Connections that follow the protocol and ask for too much of it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import * as frames from './frames.mjs';
import { isFull } from './full-size.mjs';
import { MEGABYTE, MeasuredServer } from './measured-server.mjs';

/** A connection may be cut only after the time that a request may take. */
const REQUEST_LIMIT_MS = 60_000;
const configMaps = '/api/v1/namespaces/default/configmaps';
const LARGE_BYTES = isFull ? 1_000_000 : 300_000;

const FRAMES_AT_ONCE = 5000;

describe('connections that cost too much', () => {
  let server;
  let client;

  before(async () => {
    server = await MeasuredServer.start({ pods: 100 });
    client = server.client;
    for (const accept of ['application/json', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf']) {
      await client.send('GET', '/openapi/v2', undefined, { accept });
    }
    const data = { value: 'x'.repeat(LARGE_BYTES) };
    await client.send('POST', configMaps, JSON.stringify({ metadata: { name: 'large' }, data }));
  });
  after(() => server.stop());

  const get = (path) => `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${client.token}\r\n\r\n`;

  for (const [name, path, times, connections] of [
    ['800 times for the OpenAPI document', '/openapi/v2', 800, 1],
    ['90,000 times for the OpenAPI document', '/openapi/v2', 90_000, 1],
    ['20,000 times for a list, on each of 10 connections', '/api/v1/pods', 20_000, 10],
    ['2,000 times for a large object, on each of 10 connections', `${configMaps}/large`, 2000, 10],
  ]) {
    it(`request ${name}, without waiting for answers or reading them`, async (test) => {
      await server.bounded(test, async () => {
        const sockets = await Promise.all(Array.from({ length: connections }, () => client.raw('http/1.1')));
        for (const socket of sockets) socket.pause().write(get(path).repeat(times));
        await pause(2000);
        for (const socket of sockets) socket.destroy();
        await pause(500);
      });
      await leavesLittle(test, 60);
    });
  }

  it('get answers to pipelined requests in order', async () => {
    const socket = await client.raw('http/1.1');
    const times = 800;
    socket.write(Array.from({ length: times }, (_, index) => get(`/${index}`)).join(''));
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) {
      text += chunk;
      if (text.split('HTTP/1.1 404').length > times) break;
    }
    assert.equal(text.split('HTTP/1.1 404').length - 1, times);
  });

  async function leavesLittle(test, megabytes) {
    await server.settle();
    const before = server.memory();
    await server.settle();
    test.diagnostic(`${Math.round(before / MEGABYTE)} MB in all afterwards`);
    assert.ok(server.memory() < 400 * MEGABYTE + megabytes * MEGABYTE);
  }

  it('read none of 300 large objects over HTTP/2, and each costs at most twice its bytes', async (test) => {
    const attack = async () => {
      const sessions = Array.from({ length: 3 }, () => client.session());
      for (const { open } of sessions) {
        for (let index = 0; index < 100; index++) {
          const pretty = ['', '?pretty=1'][index % 2];
          const accept = ['application/json', 'application/yaml'][index % 3 === 0 ? 1 : 0];
          open({ ':path': `${configMaps}/large${pretty}`, accept }).pause();
        }
      }
      await pause(3000);
      for (const { session } of sessions) session.destroy();
    };
    await server.bounded(test, attack, Math.max(300 * MEGABYTE, 300 * 2 * LARGE_BYTES));
  });

  for (const [protocol, send] of [
    ['chunks', sendChunks],
    ['DATA frames', sendDataFrames],
  ]) {
    it(`send bodies in ${protocol} of one byte`, async (test) => {
      const size = isFull ? 2_900_000 : 300_000;
      const body = Buffer.from(
        JSON.stringify({ metadata: { name: `tiny-${protocol.length}` }, data: { value: 'x'.repeat(size) } }),
      );
      await server.bounded(test, () => Promise.all(Array.from({ length: 4 }, () => send(body))));
    });
  }

  /** A busy machine reads millions of chunks in more than the time that a request may take, and answers 504. */
  async function sendChunks(body) {
    const began = performance.now();
    const socket = await client.raw('http/1.1');
    const answer = once(socket, 'data').catch(({ code }) => code);
    socket.write(
      `POST ${configMaps} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${client.token}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    for (let at = 0; at < body.length; at += 10_000) {
      const part = body.subarray(at, at + 10_000);
      const chunks = Buffer.concat(Array.from(part, (byte) => Buffer.of(0x31, 13, 10, byte, 13, 10)));
      if (socket.write(chunks)) continue;
      const written = await once(socket, 'drain').catch(({ code }) => code);
      // The server has answered, and has closed the connection before the end of the body.
      if (written === 'EPIPE' || written === 'ECONNRESET') break;
    }
    socket.write('0\r\n\r\n');
    const cut = performance.now() - began < REQUEST_LIMIT_MS ? '' : '|EPIPE|ECONNRESET';
    assert.match(String(await answer), new RegExp(`^(HTTP/1\\.1 (201|409|422|413|504) ${cut})`));
    socket.destroy();
  }

  async function sendDataFrames(body) {
    const began = performance.now();
    const { session, open } = client.session();
    const stream = open({ ':method': 'POST', ':path': configMaps, 'content-type': 'application/json' });
    // A body that takes too long ends with the stream, which then neither drains nor answers.
    const closed = once(stream, 'close').then(() => 'closed');
    const answer = Promise.race([once(stream, 'response').then(([head]) => head[':status']), closed]);
    for (let at = 0; at < body.length && !stream.destroyed; at += 1000) {
      for (const byte of body.subarray(at, at + 1000)) stream.write(Buffer.of(byte));
      if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), closed]);
    }
    stream.end();
    const status = await answer;
    const cut = performance.now() - began < REQUEST_LIMIT_MS ? [] : ['closed'];
    assert.ok([201, 409, 413, 422, 504, ...cut].includes(status), String(status));
    session.destroy();
  }

  it('send a body of one-byte frames to a watch, which takes none', async (test) => {
    await server.bounded(test, async () => {
      const { session, open } = client.session();
      const streams = Array.from({ length: 20 }, () =>
        open({ ':method': 'GET', ':path': `${configMaps}?watch=1` }, { endStream: false }),
      );
      for (let round = 0; round < 200 && !session.destroyed; round++) {
        for (const stream of streams) for (let index = 0; index < 100; index++) if (stream.writable) stream.write('x');
        await pause(1);
      }
      session.destroy();
    });
  });

  const floods = {
    PING: () => frames.ping(),
    SETTINGS: () => frames.filledSettings(),
    PRIORITY: (index) => frames.priority(1 + 2 * (index % 1000)),
    WINDOW_UPDATE: () => frames.windowUpdate(0),
    'requests that are reset at once': (index) =>
      Buffer.concat([frames.headers(1 + 2 * index), frames.reset(1 + 2 * index)]),
    'DATA that is empty': (index) =>
      index === 0
        ? frames.headers(1, { method: 'POST', path: configMaps, ends: false })
        : frames.data(1, Buffer.alloc(0)),
    CONTINUATION: (index) =>
      index === 0 ? frames.headers(1, { open: true }) : frames.continuation(1, Buffer.alloc(0)),
  };
  for (const [name, make] of Object.entries(floods)) {
    it(`flood a connection of HTTP/2 with ${name}`, async (test) => {
      await server.bounded(test, async () => {
        const socket = await client.raw('h2');
        socket.write(Buffer.concat([frames.preface, frames.settings()]));
        socket.on('data', () => undefined);
        const deadline = performance.now() + 4000;
        let sent = 0;
        while (!socket.destroyed && performance.now() < deadline) {
          // On a busy machine too, this is more than the server bears.
          const flood = Buffer.concat(Array.from({ length: FRAMES_AT_ONCE }, () => make(sent++)));
          socket.write(flood);
          while (socket.writableLength > 0 && !socket.destroyed && performance.now() < deadline) await pause(2);
          await pause(1);
        }
        test.diagnostic(`${socket.destroyed ? 'cut' : 'borne'} after ${sent} frames`);
        assert.ok(socket.destroyed, 'the connection is cut');
        socket.destroy();
      });
      assert.equal((await client.send('GET', '/readyz')).status, 200);
    });
  }
});
