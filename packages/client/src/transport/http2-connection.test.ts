import assert from 'node:assert/strict';
import { constants, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type Duplex, duplexPair } from 'node:stream';
import { describe, it } from 'node:test';
import { VirtualClock, settle } from '../testing/index.js';
import {
  connect,
  type ConnectOptions,
  ConnectionError,
  type Dial,
  readBody,
  readLines,
  type TransportResponse,
} from './index.js';

const text = async (response: TransportResponse) => Buffer.from(await readBody(response)).toString();

const config = { server: 'https://server/base/' };

/** A server over in-memory stream pairs, without ports. */
class FakeServer {
  readonly sessions: ServerHttp2Session[] = [];
  /** The client's ends of the pairs. */
  readonly sockets: Duplex[] = [];
  readonly certificates: (string | undefined)[] = [];
  answer: (stream: ServerHttp2Stream, path: string) => void = (stream, path) => {
    stream.respond({ ':status': 200 });
    stream.end(path);
  };
  settings = {};

  readonly dial: Dial = async (as) => {
    const [mine, theirs] = duplexPair();
    const session = performServerHandshake(mine, { settings: this.settings });
    session.on('error', () => undefined);
    session.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      if (!stream.destroyed) this.answer(stream, String(headers[':path']));
    });
    this.sessions.push(session);
    this.sockets.push(theirs);
    this.certificates.push(as.clientCertificate);
    return { socket: theirs, protocol: 'h2' };
  };

  connect(options: ConnectOptions = {}) {
    return connect(config, { dial: this.dial, ...options });
  }
}

describe('HTTP/2', () => {
  it('sends all requests over one connection', async () => {
    const server = new FakeServer();
    await using transport = server.connect();
    const paths = ['/a', '/b?c=d', '/e'];
    const responses = await Promise.all(paths.map((path) => transport.send({ method: 'GET', path })));
    assert.deepEqual(await Promise.all(responses.map(text)), ['/base/a', '/base/b?c=d', '/base/e']);
    assert.equal(await text(await transport.send({ method: 'GET', path: '/f' })), '/base/f');
    assert.equal(server.sessions.length, 1);
  });

  it('opens a second connection when the first is full', async () => {
    const server = new FakeServer();
    server.settings = { maxConcurrentStreams: 2 };
    server.answer = (stream) => stream.respond({ ':status': 200 });
    await using transport = server.connect();
    const watch = async () => transport.send({ method: 'GET', path: '/watch' });
    await watch();
    await watch();
    await watch();
    assert.equal(server.sessions.length, 2);
  });

  it('sends bodies and headers, and resolves for any status', async () => {
    const server = new FakeServer();
    server.answer = (stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        stream.respond({ ':status': 422, 'x-echo': 'é', warning: '299 - "a", 299 - "b"' });
        stream.end(Buffer.concat(chunks));
      });
    };
    const warnings: string[] = [];
    await using transport = server.connect({ onWarning: ({ text }) => warnings.push(text) });
    const response = await transport.send({
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'x' },
      body: '{"é":1}',
    });
    assert.equal(response.status, 422);
    assert.equal(await text(response), '{"é":1}');
    assert.deepEqual(warnings, ['a', 'b']);
  });

  it('streams a body, and ends the exchange when the reader leaves', async () => {
    const server = new FakeServer();
    let closed: (code: number) => void = () => undefined;
    const code = new Promise<number>((resolve) => {
      closed = resolve;
    });
    server.answer = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('one\ntwo\n');
      stream.once('close', () => closed(stream.rstCode ?? 0));
    };
    await using transport = server.connect();
    const response = await transport.send({ method: 'GET', path: '/watch' });
    const lines: string[] = [];
    for await (const line of readLines(response.body)) {
      lines.push(Buffer.from(line).toString());
      if (lines.length === 2) break;
    }
    assert.deepEqual(lines, ['one', 'two']);
    assert.equal(await code, constants.NGHTTP2_CANCEL);
  });

  it('rejects with the reason of an abort, before and during the response', async () => {
    const server = new FakeServer();
    server.answer = () => undefined;
    await using transport = server.connect();
    const before = new AbortController();
    const sent = transport.send({ method: 'GET', path: '/' }, { signal: before.signal });
    await settle();
    before.abort(new Error('before'));
    await assert.rejects(sent, /^Error: before$/);
    await assert.rejects(
      transport.send({ method: 'GET', path: '/' }, { signal: AbortSignal.abort(new Error('never')) }),
      /^Error: never$/,
    );

    server.answer = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('one\n');
    };
    const within = new AbortController();
    const response = await transport.send({ method: 'GET', path: '/' }, { signal: within.signal });
    await assert.rejects(async () => {
      for await (const _ of readLines(response.body)) within.abort(new Error('within'));
    }, /^Error: within$/);
  });

  it('finishes running requests after GOAWAY and sends new ones over another connection', async () => {
    const server = new FakeServer();
    let held: ServerHttp2Stream | undefined;
    server.answer = (stream, path) => {
      stream.respond({ ':status': 200 });
      if (path === '/base/held') held = stream;
      else stream.end(path);
    };
    await using transport = server.connect();
    const response = await transport.send({ method: 'GET', path: '/held' });
    server.sessions[0]?.goaway(constants.NGHTTP2_NO_ERROR);
    await settle();
    await settle();
    assert.equal(await text(await transport.send({ method: 'GET', path: '/next' })), '/base/next');
    assert.equal(server.sessions.length, 2);
    held?.end('done');
    assert.equal(await text(response), 'done');
  });

  it('repeats requests that the server refused to process, writes included', async () => {
    const server = new FakeServer();
    let refusals = 0;
    server.answer = (stream) => {
      if (refusals++ === 0) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else {
        stream.respond({ ':status': 201 });
        stream.end();
      }
    };
    await using transport = server.connect();
    assert.equal((await transport.send({ method: 'POST', path: '/', body: '{}' })).status, 201);
  });

  it('fails the requests of a broken connection, and reconnects for the next one', async () => {
    const server = new FakeServer();
    server.answer = (stream, path) => {
      if (path === '/base/silent') return;
      stream.respond({ ':status': 200 });
      if (path === '/base/watch') stream.write('one\n');
      else stream.end('fine');
    };
    await using transport = server.connect();
    const watch = await transport.send({ method: 'GET', path: '/watch' });
    const silent = transport.send({ method: 'POST', path: '/silent' });
    const rejected = assert.rejects(silent, (error) => error instanceof ConnectionError && error.stage === 'broken');
    const read = assert.rejects(
      readBody(watch),
      (error) => error instanceof ConnectionError && error.stage === 'broken',
    );
    await settle();
    server.sockets[0]?.destroy(new Error('reset'));
    await rejected;
    await read;
    assert.equal(await text(await transport.send({ method: 'GET', path: '/' })), 'fine');
    assert.equal(server.sessions.length, 2);
  });

  it('sends a DELETE with a body', async () => {
    const server = new FakeServer();
    server.answer = (stream) => {
      stream.respond({ ':status': 200 });
      stream.pipe(stream);
    };
    await using transport = server.connect();
    assert.equal(await text(await transport.send({ method: 'DELETE', path: '/', body: '{}' })), '{}');
    assert.equal(await text(await transport.send({ method: 'DELETE', path: '/' })), '');
  });

  it('rejects a body that a lost connection cut off', async () => {
    const server = new FakeServer();
    server.answer = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('one\n');
    };
    await using transport = server.connect();
    const response = await transport.send({ method: 'GET', path: '/' });
    const read = assert.rejects(
      readBody(response),
      (error) => error instanceof ConnectionError && error.stage === 'broken',
    );
    await settle();
    server.sockets[0]?.destroy();
    await read;
  });

  it('detects a vanished server by pings', async () => {
    const server = new FakeServer();
    const clock = new VirtualClock();
    server.answer = (stream) => stream.respond({ ':status': 200 });
    await using transport = server.connect({ clock });
    const watch = await transport.send({ method: 'GET', path: '/watch' });
    await clock.advance(30_000);
    await settle();
    await clock.advance(15_000);
    assert.equal(clock.waiting, 1, 'a server that answers the ping is asked again later');
    const socket = server.sockets[0];
    assert.ok(socket !== undefined);
    socket._write = () => undefined;
    const read = assert.rejects(readBody(watch), ConnectionError);
    await clock.advance(45_000);
    await read;
    await settle();
    assert.equal(clock.waiting, 0);
  });

  it('opens a new connection for a new certificate', async () => {
    const server = new FakeServer();
    let clientCertificate = 'one';
    const credentials = { current: async () => ({ clientCertificate, clientKey: 'k' }), rejected: () => undefined };
    await using transport = connect({ ...config, credentials }, { dial: server.dial });
    const send = async () => text(await transport.send({ method: 'GET', path: '/' }));
    await send();
    await send();
    clientCertificate = 'two';
    await send();
    assert.deepEqual(server.certificates, ['one', 'two']);
  });

  it('sends nothing after close', async () => {
    const server = new FakeServer();
    const transport = server.connect();
    await text(await transport.send({ method: 'GET', path: '/' }));
    await transport.close();
    await transport.close();
    await assert.rejects(transport.send({ method: 'GET', path: '/' }), /the transport is closed/);
  });

  it('does not reconnect in a loop to an unreachable server', async () => {
    let dialled = 0;
    const transport = connect(config, {
      dial: async () => {
        dialled++;
        throw new ConnectionError('connecting', 'server: refused');
      },
    });
    await assert.rejects(transport.send({ method: 'GET', path: '/' }), /server: refused/);
    assert.equal(dialled, 1);
  });
});
