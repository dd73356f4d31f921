import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer as createNetServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { StatusError } from '@binnacle/apimachinery/status';
import type { Exchange, ResponseStream } from '../request/index.js';
import { createHttpsServer, type HttpsServer } from './https-server.js';
import type { HttpLimits } from './limits.js';
import { makeTestCertificate, type TestCertificate } from '../testing/index.js';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));
}

function headOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => stream.once('response', resolve).once('error', reject));
}

const serving: TestCertificate = makeTestCertificate('/CN=localhost');
const known: TestCertificate = makeTestCertificate('/O=dev/O=ops/CN=jane');
const stranger: TestCertificate = makeTestCertificate('/CN=mallory');
const authority: TestCertificate = makeTestCertificate('/CN=authority', { days: 3 });
const issued: TestCertificate = makeTestCertificate('/CN=joe', { issuer: authority, days: 9 });
const limited: TestCertificate = makeTestCertificate('/CN=limited', {
  extensions: ['nameConstraints=critical,permitted;DNS:example.com'],
});

describe('https server', { timeout: 600_000 }, () => {
  let server: HttpsServer;
  let port = 0;
  let handle: (exchange: Exchange) => void = () => undefined;

  const start = async (limits: Partial<HttpLimits> = {}): Promise<[HttpsServer, number]> => {
    const started = createHttpsServer({
      tls: {
        ...serving,
        clientCertificateAuthorities: [known.certificate, authority.certificate, limited.certificate],
      },
      handler: (exchange) => handle(exchange),
      limits,
    });
    return [started, (await started.listen('127.0.0.1', 0)).port];
  };

  before(async () => {
    [server, port] = await start({ bodyTimeout: 200 });
  });
  after(() => server.close({ drainMs: 0 }));

  const over1 = async (options: RequestOptions & { readonly body?: string } = {}): Promise<Answer> => {
    const request = httpsRequest({ port, rejectUnauthorized: false, agent: false, ...options });
    request.on('error', () => undefined);
    if (options.body === undefined) request.end();
    else request.end(options.body);
    const response = await responseTo(request);
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  };

  const session = (identity?: TestCertificate): ClientHttp2Session => {
    const pair = identity === undefined ? {} : { cert: identity.certificate, key: identity.privateKey };
    const opened = connect(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      maxSendHeaderBlockLength: 1024 * 1024,
      ...pair,
    });
    opened.on('error', () => undefined);
    return opened;
  };

  const over2 = async (
    headers: Record<string, string | string[]> = {},
    body?: string,
    identity?: TestCertificate,
  ): Promise<Answer> => {
    const client = session(identity);
    const stream = client.request({ ':path': '/', ...headers }, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    const head = await headOf(stream);
    const received = await text(stream);
    client.destroy();
    return { status: Number(head[':status']), headers: head, body: received };
  };

  const echo = (exchange: Exchange): void => {
    exchange.readBody(10).then(
      (body) =>
        exchange.respond(
          200,
          { 'content-type': 'text/plain', 'x-list': ['a', 'b'] },
          `${exchange.method} ${exchange.url} ${body.toString()}`,
        ),
      (error: unknown) => {
        assert.ok(error instanceof StatusError);
        exchange.respond(error.code, {}, error.message);
      },
    );
  };

  it('answers over both protocols', async () => {
    handle = echo;
    assert.deepEqual((await over1({ path: '/a?b', method: 'POST', body: 'x' })).body, 'POST /a?b x');
    const answer = await over2({ ':path': '/a%2Fb', ':method': 'POST' }, 'x');
    assert.deepEqual(answer.body, 'POST /a%2Fb x');
    assert.equal(answer.headers['content-length'], '13');
    assert.equal(answer.headers['x-list'], 'a, b');
  });

  it('serves HTTP/1.1 alone where it shall not serve HTTP/2, and counts handshakes that fail', async () => {
    handle = echo;
    let failures = 0;
    const other = createHttpsServer({
      tls: { ...serving, clientCertificateAuthorities: [] },
      handler: (exchange) => handle(exchange),
      servesHttp2: false,
      handshakeFailed: () => void failures++,
    });
    const { port: otherPort } = await other.listen('127.0.0.1', 0);
    const offer = async (ALPNProtocols: string[]): Promise<string | false | null> => {
      const socket = connectTls({ port: otherPort, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols });
      await once(socket, 'secureConnect');
      socket.destroy();
      return socket.alpnProtocol;
    };
    assert.equal(await offer(['h2', 'http/1.1']), 'http/1.1');
    await assert.rejects(offer(['h2']), { code: 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL' });
    assert.equal((await over1({ path: '/a', port: otherPort })).body, 'GET /a ');
    await other.close({ drainMs: 0 });
    assert.ok(failures > 0);
  });

  it('serves a request between those that another connection has sent before it', async (context) => {
    const [flood, other] = [session(), session()];
    await Promise.all([once(flood, 'connect'), once(other, 'connect')]);
    await pause(1);
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const served: string[] = [];
    handle = (exchange) => {
      served.push(exchange.url);
      // Each request uses up a turn.
      time += 3;
      if (served.length === 2) streams.push(other.request({ ':path': '/other' }));
      exchange.respond(200, {}, '');
    };
    const streams = Array.from({ length: 90 }, () => flood.request({ ':path': '/flood' }));
    while (served.length < 91) await pause(1);
    assert.ok(served.indexOf('/other') < 20, `after ${served.indexOf('/other')} others`);
    for (const client of [flood, other]) client.destroy();
    assert.equal(streams.length, 91);
  });

  it('keeps the values of a repeated header apart', async () => {
    handle = (exchange) => exchange.respond(200, {}, JSON.stringify(exchange.headerValues('x-group')));
    const values = ['a, b', 'c'];
    assert.equal((await over1({ headers: { 'X-Group': values } })).body, JSON.stringify(values));
    assert.equal((await over2({ 'x-group': values })).body, JSON.stringify(values));
    assert.equal((await over2()).body, '[]');
  });

  it('reads the values of headers as UTF-8', async () => {
    handle = (exchange) => exchange.respond(200, {}, exchange.headerValues('x-name').join());
    const headers = { 'x-name': Buffer.from('jörg').toString('latin1') };
    assert.equal((await over1({ headers })).body, 'jörg');
    assert.equal((await over2(headers)).body, 'jörg');
  });

  it('sees the last of several thousand headers', async () => {
    handle = (exchange) => exchange.respond(200, {}, exchange.headerValues('impersonate-user').join());
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x-${index}`, '']));
    const headers = { ...many, 'impersonate-user': 'jane' };
    assert.equal((await over1({ headers })).body, 'jane');
    assert.equal((await over2(headers)).body, 'jane');
  });

  it('refuses more header lines than the limit', async () => {
    handle = (exchange) => exchange.respond(200, {}, 'served');
    const [other, otherPort] = await start({ maxHeaderLines: 1000 });
    const overTls = async (lines: number, head = 'Connection: close\r\n'): Promise<string> => {
      const socket = connectTls({ port: otherPort, host: '127.0.0.1', rejectUnauthorized: false });
      socket.end(`GET / HTTP/1.1\r\nHost: a\r\n${head}${'a:\r\n'.repeat(lines)}\r\n`);
      return text(socket);
    };
    assert.match(await overTls(998), /^HTTP\/1\.1 200 .*served$/s);
    assert.match(
      await overTls(999),
      /^HTTP\/1\.1 431 .*\r\nconnection: close\r\n.*431 Request Header Fields Too Large$/is,
    );
    await other.close({ drainMs: 0 });
  });

  it('refuses a request that names two hosts or none, a WebSocket as well', async () => {
    handle = () => assert.fail('a handler sees it');
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    for (const lines of ['Host: a\r\nHost: a\r\n', '', `Host: a\r\nHost: b\r\n${upgrade}`, upgrade]) {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
      socket.write(`GET / HTTP/1.1\r\n${lines}\r\n`);
      assert.match(await text(socket), /^HTTP\/1\.1 400 .*\r\n\r\n400 Bad Request/s);
    }
  });

  it('takes a wish for another protocol behind an answer that is under way', async () => {
    handle = (exchange) => {
      if (exchange.url === '/second') exchange.respond(200, {}, 'second');
      else setImmediate(() => exchange.respond(200, {}, 'x'.repeat(1_000_000)));
    };
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    const second = 'GET /second HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n';
    socket.write(`GET /first HTTP/1.1\r\nHost: a\r\n\r\n${second}`);
    const answers = text(socket);
    assert.match(await answers, /^HTTP\/1\.1 200 .*x{1000}HTTP\/1\.1 200 .*second$/s);
  });

  it('sends no body to HEAD and for 204', async () => {
    handle = (exchange) => exchange.respond(exchange.url === '/204' ? 204 : 200, {}, 'four');
    for (const answer of [await over1({ method: 'HEAD' }), await over2({ ':method': 'HEAD' })]) {
      assert.equal(answer.headers['content-length'], '4');
      assert.equal(answer.body, '');
    }
    assert.equal((await over1({ path: '/204' })).status, 204);
    assert.equal((await over2({ ':path': '/204' })).status, 204);
  });

  it('refuses a body over the limit, declared or not', async () => {
    handle = echo;
    const big = 'x'.repeat(100_000);
    const expected = 'Request entity is too large: limit is 10';
    for (const answer of [
      await over1({ method: 'POST', body: big }),
      await over1({ method: 'POST', body: big, headers: { 'transfer-encoding': 'chunked' } }),
      await over2({ ':method': 'POST' }, big),
      await over2({ ':method': 'POST', 'content-length': '100000' }, big),
    ]) {
      assert.equal(answer.status, 413);
      assert.equal(answer.body, expected);
    }
  });

  it('gives up on a body that does not come', async () => {
    handle = echo;
    const client = session();
    const stream = client.request({ ':path': '/', ':method': 'POST' });
    stream.write('x');
    assert.equal((await headOf(stream))[':status'], 408);
    client.destroy();
  });

  it('tells a handler that the body ended early, and aborts its signal', async () => {
    const arrived = new Promise<Exchange>((resolve) => {
      handle = resolve;
    });
    const client = session();
    const stream = client.request({ ':path': '/', ':method': 'POST' });
    stream.on('error', () => undefined);
    stream.write('x');
    const exchange = await arrived;
    const { signal } = exchange;
    const body = exchange.readBody(10);
    stream.close(constants.NGHTTP2_CANCEL);
    const error = await body.catch((reason: unknown) => reason);
    assert.ok(error instanceof StatusError && error.code === 400);
    assert.ok(signal.aborted || (await once(signal, 'abort')));
    exchange.respond(200, {}, 'unread');
    client.destroy();
  });

  it('continues a client that waits for it', async () => {
    handle = echo;
    const request = httpsRequest({
      port,
      rejectUnauthorized: false,
      agent: false,
      method: 'PUT',
      headers: { expect: '100-continue' },
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.end('now');
    assert.equal(await text(await responseTo(request)), 'PUT / now');
    assert.equal((await over2({ ':method': 'PUT', expect: '100-continue' }, 'now')).body, 'PUT / now');
  });

  it('goes on when a client opens a request over HTTP/2 and breaks the connection in the same bytes', async () => {
    handle = (exchange) => exchange.respond(200, {}, 'aye');
    const native = createHttpsServer({
      tls: { ...serving, clientCertificateAuthorities: [] },
      handler: (exchange) => handle(exchange),
    });
    const ports = [port, (await native.listen('127.0.0.1', 0)).port];
    const settings = Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0);
    const confirmation = '\x00\x00\x00\x04\x01';
    const request = Buffer.of(0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x84, 0x87, 0x41, 1, 0x61);
    const dataOfNoStream = Buffer.alloc(9);
    for (const each of ports) {
      const socket = connectTls({ port: each, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] });
      socket.on('error', () => undefined);
      socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settings]));
      // The server has read the settings when it confirms them, and then the requests follow on their own.
      for (let seen = ''; !seen.includes(confirmation); ) seen += String(await once(socket, 'data'));
      socket.resume().write(Buffer.concat([request, dataOfNoStream]));
      await new Promise((resolve) => socket.once('close', resolve));
    }
    await native.close({ drainMs: 0 });
    assert.equal((await over2()).body, 'aye');
  });

  it('keeps the spaces around a value over HTTP/2, as upstream does', async () => {
    const taken: string[] = [];
    const answered = new Promise<void>((resolve) => {
      handle = (exchange) => {
        taken.push(...exchange.headerValues('impersonate-user'));
        exchange.respond(200, {}, 'aye');
        resolve();
      };
    });
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    const value = ' jane ';
    const field = Buffer.from(`\0\x10impersonate-user${String.fromCharCode(value.length)}${value}`);
    const head = Buffer.of(0, 0, 6 + field.length, 1, 5, 0, 0, 0, 1, 0x82, 0x84, 0x87, 0x41, 1, 0x61);
    socket
      .resume()
      .write(
        Buffer.concat([
          Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
          Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0),
          head,
          field,
        ]),
      );
    await answered;
    assert.deepEqual(taken, [value]);
    socket.destroy();
  });

  const connectRaw = (to: number): TLSSocket =>
    connectTls({ port: to, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => undefined);

  it('answers a client that ends its side right after its requests', async () => {
    const native = createHttpsServer({
      tls: { ...serving, clientCertificateAuthorities: [] },
      handler: (exchange) => handle(exchange),
    });
    const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    handle = (exchange) => {
      void exchange
        .readBody(10)
        .then((body) => pause(10, body))
        .then((body) => exchange.respond(200, {}, `got ${body.toString()}.`));
    };
    for (const to of [port, (await native.listen('127.0.0.1', 0)).port]) {
      for (const [requests, answers] of [
        [get, 1],
        [get.repeat(3), 3],
        ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody', 1],
        ['GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 1],
      ] as const) {
        const received = await Promise.all(Array.from({ length: 10 }, () => text(connectRaw(to).end(requests))));
        assert.deepEqual(
          received.map((each) => each.match(/got (body)?\./g)?.length),
          Array.from({ length: 10 }, () => answers),
        );
      }
    }
    await native.close({ drainMs: 0 });
  });

  describe('a client of HTTP/1.1 that goes away', () => {
    const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const [how, requests, leave] of [
      ['closes its connection', 1, (tls: TLSSocket) => tls.destroy()],
      ['closes it while its next requests wait', 3, (tls: TLSSocket) => tls.destroy()],
      ['resets it', 1, (_tls: TLSSocket, tcp: Socket) => tcp.resetAndDestroy()],
      ['resets it while its next requests wait', 3, (_tls: TLSSocket, tcp: Socket) => tcp.resetAndDestroy()],
      ['ends its side and reads no answer in time', 1, (tls: TLSSocket) => tls.end()],
    ] as const) {
      it(`ends the work on its request: it ${how}`, async () => {
        const [impatient, to] = await start({ halfClosedTimeout: 20 });
        let begun = 0;
        const aborted = new Promise<unknown>((resolve) => {
          handle = ({ signal }) => {
            begun++;
            signal.addEventListener('abort', () => resolve(signal.reason));
            leave(tls, tcp);
          };
        });
        const tcp = connectTcp(to, '127.0.0.1').on('error', () => undefined);
        const tls = connectTls({ socket: tcp, rejectUnauthorized: false }).on('error', () => undefined);
        tls.write(get.repeat(requests));
        assert.match(String(await aborted), /AbortError: the client has gone/);
        await impatient.close({ drainMs: 1000 });
        assert.equal(begun, 1);
      });
    }

    it('has the whole of an answer that began before it ended its side', async () => {
      const [impatient, to] = await start({ halfClosedTimeout: 1 });
      handle = (exchange) => exchange.respond(200, {}, Buffer.alloc(8_000_000, 'a'));
      const socket = connectRaw(to).end(get);
      await once(socket, 'secureConnect');
      await pause(20);
      assert.ok((await text(socket)).length > 8_000_000);
      await impatient.close({ drainMs: 0 });
    });
  });

  it('ends a stream whose client has ended its side, before it begins or after', async () => {
    handle = (exchange) => {
      const stream = exchange.respondStream(200, {});
      stream.write('begun');
      const end = (): void => stream.end();
      if (exchange.signal.aborted) end();
      else exchange.signal.addEventListener('abort', end);
    };
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    assert.match(await text(connectRaw(port).end(request)), /begun\r\n0\r\n\r\n$/);
    const socket = connectRaw(port);
    socket.write(request);
    let received = '';
    for await (const chunk of socket) {
      received += String(chunk);
      if (received.includes('begun')) socket.end();
    }
    assert.match(received, /begun\r\n0\r\n\r\n$/);
  });

  it('answers 400 to a request that ends early, and gives up on its body', async () => {
    const outcome = new Promise<unknown>((resolve) => {
      handle = (exchange) => void exchange.readBody(10).catch(resolve);
    });
    for (const part of [
      'GET / HTTP/1.1\r\nHost: a\r\n',
      'PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf',
    ]) {
      assert.match(await text(connectRaw(port).end(part)), /^HTTP\/1\.1 400 /);
    }
    assert.ok((await outcome) instanceof StatusError);
  });

  it('answers 400 to what is not HTTP', async () => {
    for (const nonsense of ['nonsense\r\n\r\n', 'nonsense '.repeat(20_000)]) {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
      socket.end(nonsense);
      assert.match(await text(socket), /^HTTP\/1\.1 400 /);
    }
  });

  it('knows the certificate that its authorities vouch for, and no other', async () => {
    handle = (exchange) => {
      const { peerCertificate: peer, peerCertificateError: error } = exchange;
      exchange.respond(
        200,
        {},
        `${peer?.commonName} ${String(peer?.organizations)} ${peer?.sha256?.length} ${error === undefined}`,
      );
    };
    assert.equal((await over2({}, undefined, known)).body, 'jane dev,ops 64 true');
    assert.equal((await over2({}, undefined, stranger)).body, 'undefined undefined undefined false');
    assert.equal((await over2()).body, 'undefined undefined undefined true');
    assert.equal((await over1({ cert: known.certificate, key: known.privateKey })).body, 'jane dev,ops 64 true');
  });

  it('knows a certificate whose authority may sign its names, and no other', async () => {
    handle = (exchange) => exchange.respond(200, {}, String(exchange.peerCertificate?.commonName));
    for (const [name, user] of [
      ['a.example.com', 'joe'],
      ['example.org', 'undefined'],
    ] as const) {
      const client = makeTestCertificate('/CN=joe', { issuer: limited, alternativeNames: `DNS:${name}` });
      assert.equal((await over2({}, undefined, client)).body, user, name);
    }
  });

  it('says how long a certificate is good for, and those that vouch for it', async () => {
    const endOf = (pair: TestCertificate): number => Date.parse(new X509Certificate(pair.certificate).validTo);
    handle = (exchange) => {
      const { commonName, validity: [period] = [] } = exchange.peerCertificate ?? {};
      exchange.respond(200, {}, `${commonName} ${(period?.notBefore ?? 0) > 0} ${period?.notAfter}`);
    };
    assert.ok(endOf(authority) < endOf(issued));
    assert.equal((await over2({}, undefined, issued)).body, `joe true ${endOf(authority)}`);
    assert.equal((await over2({}, undefined, known)).body, `jane true ${endOf(known)}`);
  });

  it('takes certificates as long as those of three keys of RSA with 4096 bits, and cuts a client with longer ones off', async () => {
    handle = (exchange) =>
      exchange.respond(200, {}, `${exchange.peerCertificate?.commonName} ${exchange.remoteAddress}`);
    const withComment = (bytes: number): TestCertificate =>
      makeTestCertificate('/CN=long', { issuer: authority, extensions: [`nsComment=${'x'.repeat(bytes)}`] });
    assert.equal((await over2({}, undefined, withComment(8000))).body, 'long 127.0.0.1');
    const { certificate: cert, privateKey: key } = withComment(12_000);
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, cert, key });
    socket.on('error', () => undefined);
    // A client of TLS 1.3 may think that all is well before the server has read its certificates.
    socket.on('data', () => assert.fail('the server answers')).write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('reads the certificates of clients in every cipher suite of TLS 1.3, and in TLS 1.2', async () => {
    handle = (exchange) => exchange.respond(200, {}, String(exchange.peerCertificate?.commonName));
    const { certificate: cert, privateKey: key } = known;
    for (const options of [
      { ciphers: 'TLS_AES_128_GCM_SHA256' },
      { ciphers: 'TLS_AES_256_GCM_SHA384' },
      { ciphers: 'TLS_CHACHA20_POLY1305_SHA256' },
      { maxVersion: 'TLSv1.2' },
    ] as const) {
      assert.equal((await over1({ cert, key, ...options })).body, 'jane', JSON.stringify(options));
    }
  });

  it('cuts a client off that presents a key of a slow curve, in every version', async () => {
    handle = () => assert.fail('a request comes through');
    const slow = makeTestCertificate('/CN=slow', { curve: 'sect571r1' });
    const pair = { cert: `${known.certificate}${slow.certificate}`, key: known.privateKey };
    for (const options of [{ ciphers: 'TLS_CHACHA20_POLY1305_SHA256' }, {}, { maxVersion: 'TLSv1.2' }] as const) {
      await assert.rejects(over1({ ...pair, ...options }), { code: /ECONNRESET|EPIPE/ });
    }
  });

  it('takes a body that comes with the end of the handshake', async () => {
    const { certificate: cert, privateKey: key } = known;
    handle = (exchange) => {
      void exchange.readBody(200_000).then((body) => exchange.respond(200, {}, String(body.length)));
    };
    const body = 'x'.repeat(150_000);
    assert.equal((await over1({ method: 'POST', body, cert, key })).body, '150000');
  });

  it('closes a connection whose handshake takes too long', async () => {
    const [other, otherPort] = await start({ headersTimeout: 100 });
    const socket = connectTcp({ port: otherPort, host: '127.0.0.1' });
    // The beginning of a record that never ends.
    socket.write(Buffer.of(22, 3, 1, 2, 0, 1, 0));
    await once(socket.resume(), 'close');
    await other.close({ drainMs: 0 });
  });

  it('resumes no TLS session, so each connection shows its client certificate again', async () => {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const options = { port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion };
      const ask = async (session?: Buffer): Promise<{ readonly session: Buffer; readonly isReused: boolean }> => {
        const socket = connectTls({ ...options, ...(session === undefined ? {} : { session }) });
        const sessions = new Promise<Buffer>((resolve) => socket.once('session', resolve));
        await once(socket, 'secureConnect');
        const isReused = socket.isSessionReused();
        const given = session ?? (await sessions);
        socket.destroy();
        return { session: given, isReused };
      };
      const first = await ask();
      assert.deepEqual([first.isReused, (await ask(first.session)).isReused], [false, false], maxVersion);
    }
  });

  it('goes through no second handshake', async () => {
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' } as const;
    const socket = connectTls(options);
    await once(socket, 'secureConnect');
    const outcome = await new Promise<unknown>((resolve) => {
      socket.once('error', resolve);
      socket.renegotiate({}, resolve);
    });
    assert.match(String(outcome), /no renegotiation/);
    socket.destroy();
  });

  it('sends a body that is made while it is sent, in one piece of memory', async () => {
    const memory = Buffer.alloc(100_000);
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const pieces = function* (): Generator<Uint8Array> {
      for (const letter of letters) yield memory.fill(letter);
    };
    const expected = Array.from(letters, (letter) => letter.repeat(memory.length)).join('');
    for (const length of [expected.length, undefined]) {
      handle = (exchange) => void exchange.respondPieces(200, {}, { length, pieces });
      for (const { headers, body } of [await over1(), await over2()]) {
        assert.equal(headers['content-length'], length === undefined ? undefined : String(length));
        assert.ok(body === expected);
      }
    }
  });

  it('breaks off an answer when one of its pieces cannot be made', async () => {
    const pieces = function* (): Generator<Uint8Array> {
      yield Buffer.from('begun');
      throw new Error('unreadable');
    };
    const failures: unknown[] = [];
    handle = (exchange) =>
      void exchange.respondPieces(200, {}, { length: undefined, pieces }).catch((error: unknown) => {
        failures.push(error);
        exchange.destroy();
      });
    await assert.rejects(over1());
    await assert.rejects(over2());
    assert.equal(failures.length, 2);
  });

  it('counts what it sends, in one piece or many', async () => {
    const counted: number[] = [];
    handle = (exchange) => {
      const stream = exchange.respondStream(200, {});
      stream.write('four');
      stream.writeAll([Buffer.alloc(99), Buffer.alloc(1)]);
      stream.end();
      counted.push(exchange.bodyBytes);
    };
    for (const method of ['GET', 'HEAD']) {
      await over1({ method });
      await over2({ ':method': method });
    }
    assert.deepEqual(counted, [104, 104, 0, 0]);
  });

  it('holds a stream back behind a client that does not read', async () => {
    const opened = new Promise<ResponseStream>((resolve) => {
      handle = (exchange) => resolve(exchange.respondStream(200, { 'content-type': 'text/plain' }));
    });
    const client = session();
    const request = client.request({ ':path': '/' });
    await once(request, 'response');
    const stream = await opened;
    const piece = Buffer.alloc(64 * 1024);
    let sent = 0;
    while (stream.write(piece)) sent++;
    assert.ok(stream.pendingBytes > 0 && sent < 100);
    const drained = stream.drained();
    request.resume();
    await drained;
    stream.end();
    await once(request, 'end');
    client.destroy();
  });

  it('breaks off short answers that no client reads, where they hold too much together', async () => {
    const [other, otherPort] = await start({ maxUnsentBytes: 1_000_000 });
    handle = (exchange) => exchange.respond(200, {}, 'x'.repeat(60_000));
    const client = connect(`https://127.0.0.1:${otherPort}`, {
      rejectUnauthorized: false,
      settings: { initialWindowSize: 0 },
    });
    client.on('error', () => undefined);
    const requests = Array.from({ length: 40 }, () => client.request({ ':path': '/' }).pause());
    for (const request of requests) request.on('error', () => undefined);
    await new Promise((resolve) => requests[0]?.once('close', resolve));
    assert.equal(requests[0]?.rstCode, constants.NGHTTP2_INTERNAL_ERROR);
    assert.equal(requests.at(-1)?.destroyed, false);
    client.destroy();
    await other.close({ drainMs: 0 });
  });

  it('breaks a stream off so that the client notices', async () => {
    handle = (exchange) => {
      const stream = exchange.respondStream(200, {});
      stream.write('half');
      stream.destroy();
      assert.equal(stream.write('more'), false);
    };
    const client = session();
    const request = client.request({ ':path': '/' });
    await assert.rejects(text(request));
    client.destroy();
    await assert.rejects(over1());
  });

  it('breaks off a stream although all has been sent so far', async () => {
    let stream: ResponseStream | undefined;
    handle = (exchange) => {
      stream = exchange.respondStream(200, {});
      stream.write('half');
    };
    const client = session();
    const request = client.request({ ':path': '/' });
    await once(request, 'data');
    stream?.destroy();
    request.resume();
    await assert.rejects(once(request, 'end'));
    client.destroy();
  });

  it('disconnects a client that has no answer', async () => {
    handle = (exchange) => {
      assert.equal(exchange.aborted, false);
      exchange.disconnect();
      assert.deepEqual([exchange.aborted, exchange.signal.aborted], [true, true]);
    };
    const client = session();
    client.on('error', () => undefined);
    const request = client.request({ ':path': '/' }).resume();
    request.on('response', () => assert.fail('there is an answer'));
    await once(request, 'close');
    assert.equal(client.destroyed, true);
    await assert.rejects(over1());
  });

  it('answers once', async () => {
    handle = (exchange) => {
      exchange.respond(200, {}, 'first');
      exchange.respond(500, {}, 'second');
      assert.equal(exchange.respondStream(200, {}).write('third'), false);
      assert.ok(exchange.answered);
      assert.deepEqual([exchange.status, exchange.bodyBytes], [200, 5]);
    };
    assert.equal((await over1()).body, 'first');
    assert.equal((await over2()).body, 'first');
  });

  it('drains what runs, ends the idle, and destroys the rest in time', async () => {
    const [other, otherPort] = await start();
    const exchanges: Exchange[] = [];
    const arrived = new Promise<void>((resolve) => {
      handle = (exchange) => {
        exchanges.push(exchange);
        if (exchanges.length === 2) resolve();
      };
    });
    const client = connect(`https://127.0.0.1:${otherPort}`, { rejectUnauthorized: false });
    client.on('error', () => undefined);
    const requests = [client.request({ ':path': '/ends' }), client.request({ ':path': '/stays' })];
    for (const request of requests) request.on('error', () => undefined);
    await arrived;
    const { signal } = exchanges[1] ?? assert.fail();
    assert.deepEqual(
      exchanges.map(({ aborted }) => aborted),
      [false, false],
    );
    const goaway = once(client, 'goaway');
    const closing = other.close({ drainMs: 300 });
    await goaway;
    exchanges[0]?.respond(200, {}, 'done');
    assert.equal(await text(requests[0] ?? assert.fail()), 'done');
    await closing;
    assert.equal(signal.aborted, true);
    // Nothing has asked the first one for its signal.
    assert.deepEqual(
      exchanges.map(({ aborted }) => aborted),
      [true, true],
    );
    await assert.rejects(once(connectTls({ port: otherPort, host: '127.0.0.1' }), 'secureConnect'));
  });

  it('drops the names of earlier certificates when it is renewed, and prefers exact names', async () => {
    const tls = { ...serving, clientCertificateAuthorities: [] };
    const named = (subject: string, ...names: string[]) => ({ ...makeTestCertificate(subject), names });
    const exact = named('/CN=exact', 'a.example');
    const other = createHttpsServer({
      tls: { ...tls, named: [exact, named('/CN=wildcard', '*.example')] },
      handler: () => undefined,
    });
    const { port: otherPort } = await other.listen('127.0.0.1', 0);
    const shownFor = async (servername: string): Promise<unknown> => {
      const socket = connectTls({ host: '127.0.0.1', port: otherPort, servername, rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { subject } = socket.getPeerCertificate();
      socket.destroy();
      return subject.CN;
    };
    const names = ['a.example', 'b.example', 'c.b.example'];
    const shown = async (): Promise<unknown[]> => Promise.all(names.map(shownFor));
    assert.deepEqual(await shown(), ['exact', 'wildcard', 'localhost']);
    other.renew({ ...tls, named: [named('/CN=renewed', 'b.example')] });
    assert.deepEqual(await shown(), ['localhost', 'renewed', 'localhost']);
    await other.close({ drainMs: 0 });
  });

  it('judges the certificate of a kept connection by the authorities of each request', async () => {
    handle = (exchange) =>
      exchange.respond(200, {}, exchange.peerCertificate?.commonName ?? exchange.peerCertificateError ?? 'no one');
    const tls = { ...serving, clientCertificateAuthorities: [authority.certificate] };
    const other = createHttpsServer({ tls, handler: (exchange) => handle(exchange) });
    const { port: otherPort } = await other.listen('127.0.0.1', 0);
    const pair = { cert: issued.certificate, key: issued.privateKey, rejectUnauthorized: false };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const client = connect(`https://127.0.0.1:${otherPort}`, pair);
    const names = async (): Promise<readonly string[]> => {
      const request = httpsRequest({ port: otherPort, agent, ...pair });
      request.end();
      const stream = client.request({ ':path': '/' });
      const answers = [await text(await responseTo(request)), await text(stream)];
      return [...answers, request.reusedSocket ? 'kept' : 'new'];
    };
    assert.deepEqual(await names(), ['joe', 'joe', 'new']);
    assert.deepEqual(await names(), ['joe', 'joe', 'kept']);
    const unknown = 'x509: certificate signed by unknown authority';
    other.renew({ ...tls, clientCertificateAuthorities: [known.certificate] });
    assert.deepEqual(await names(), [unknown, unknown, 'kept']);
    other.renew({ ...tls, clientCertificateAuthorities: [known.certificate, authority.certificate] });
    assert.deepEqual(await names(), ['joe', 'joe', 'kept']);
    client.destroy();
    agent.destroy();
    await other.close({ drainMs: 0 });
  });

  it('serves connections that another process has accepted, with the same limit, and drains them', async () => {
    handle = (exchange) => exchange.respond(200, {}, 'served');
    const other = createHttpsServer({
      tls: { ...serving, clientCertificateAuthorities: [] },
      handler: (exchange) => handle(exchange),
      limits: { maxConnections: 2 },
    });
    let take: ((socket: Socket) => void) | undefined;
    other.serve({
      open: (taker) => {
        take = taker;
        return () => {
          take = undefined;
        };
      },
    });
    const acceptor = createNetServer({ pauseOnConnect: true }, (socket) => take?.(socket)).listen(0, '127.0.0.1');
    await once(acceptor, 'listening');
    const acceptedPort = (acceptor.address() as AddressInfo).port;
    const kept = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const request = httpsRequest({ port: acceptedPort, host: '127.0.0.1', agent: kept });
    request.end();
    assert.equal(await text(await responseTo(request)), 'served');
    const second = connectTls({ port: acceptedPort, host: '127.0.0.1', rejectUnauthorized: false });
    await once(second, 'secureConnect');
    const third = connectTls({ port: acceptedPort, host: '127.0.0.1', rejectUnauthorized: false });
    await assert.rejects(once(third, 'secureConnect'), { code: 'ECONNRESET' });
    let closed = false;
    const closing = other.close({ drainMs: 20_000 }).then(() => {
      closed = true;
    });
    assert.equal(take, undefined);
    await pause(20);
    assert.equal(closed, false, 'a connection is left');
    second.destroy();
    await closing;
    kept.destroy();
    acceptor.close();
  });

  it('passes on that the port is taken', async () => {
    const second = createHttpsServer({
      tls: { ...serving, clientCertificateAuthorities: [] },
      handler: () => undefined,
    });
    await assert.rejects(second.listen('127.0.0.1', port), { code: 'EADDRINUSE' });
  });
});
