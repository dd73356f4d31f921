import { settle, VirtualClock } from '@binnacle/apimachinery/clock';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { createIssuer, type CertificatePair } from '../certificates/index.js';
import { serveWebhooks, type ServeWebhooksOptions, webhook, type WebhookServer } from './index.js';
import { admissionReview } from './review.testing.js';
import { MAX_BYTES_IN_FLIGHT } from './request-body.js';
import { MAX_BODY_BYTES, type WebhookAnswer } from './review.js';
import { serveWithin } from './server.js';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const review = JSON.stringify(admissionReview({ object }));
const hosts = ['localhost', '127.0.0.1'];
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const allowAll = webhook({ path: '/validate', validate: () => undefined });

const serve = (options: Partial<ServeWebhooksOptions> = {}): Promise<WebhookServer> =>
  serveWebhooks({ host: '127.0.0.1', port: 0, certificates: { hosts }, webhooks: [allowAll], ...options });

interface Reply {
  readonly code: number | undefined;
  readonly text: string;
  readonly connection: string | undefined;
  /** The serial number of the server's certificate. */
  readonly serial: string;
}

function send(
  { port, caBundle: ca }: WebhookServer,
  body: string | Buffer = review,
  { path = '/validate?timeout=10s', agent = new Agent() } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const options = { port, ca, path, agent, headers, host: '127.0.0.1', method: 'POST' };
    const sent = request(options, (response) => {
      const { serialNumber: serial } = (response.socket as TLSSocket).getPeerCertificate();
      const { statusCode: code, headers } = response;
      const { connection } = headers;
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ code, text, connection, serial }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('a webhook server', { timeout: 600_000 }, () => {
  it('answers reviews over HTTPS, and 404 for other paths', async () => {
    await using server = await serve();
    const { code, text } = await send(server);
    assert.equal(code, 200);
    assert.deepEqual(JSON.parse(text), {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: 'u1', allowed: true },
    });
    assert.equal((await send(server, review, { path: '/other' })).code, 404);
  });

  it('refuses a body that is too long without reading it to the end', async () => {
    await using server = await serve({ report: () => undefined });
    const { code, text, connection } = await send(server, Buffer.alloc(MAX_BODY_BYTES + 1, ' '));
    assert.equal(code, 200);
    assert.match(text, /request entity is too large/);
    assert.equal(connection, 'close');
  });

  it('answers 503 while other requests hold too much memory', async () => {
    const holding: (() => void)[] = [];
    const held = (): Promise<WebhookAnswer> =>
      new Promise((resolve) => holding.push(() => resolve({ code: 200, review: undefined })));
    const reports: string[] = [];
    await using server = await serve({
      webhooks: [{ path: '/validate', answer: held }],
      report: (error) => reports.push(String(error)),
    });
    const body = Buffer.alloc(MAX_BODY_BYTES, ' ');
    const fitting = Math.floor(MAX_BYTES_IN_FLIGHT / MAX_BODY_BYTES);
    const replies = Array.from({ length: fitting }, () => send(server, body));
    await until(async () => (holding.length === fitting ? true : undefined));
    // It is read almost to its end, else its answer could be lost with the connection.
    const tooMuch = Buffer.alloc(MAX_BYTES_IN_FLIGHT - fitting * MAX_BODY_BYTES + 1, ' ');
    assert.equal((await send(server, tooMuch)).code, 503);
    assert.deepEqual(reports, ['TooManyBodiesError: too many bytes of requests in flight']);
    for (const finish of holding) finish();
    assert.deepEqual(new Set((await Promise.all(replies)).map(({ code }) => code)), new Set([200]));
    const later = send(server, body);
    await until(async () => (holding.length > fitting ? true : undefined));
    holding.at(-1)?.();
    assert.equal((await later).code, 200);
  });

  it('ends a request whose client does not finish it in time', async () => {
    await using server = await serveWithin(
      { requestTimeout: 50, connectionsCheckingInterval: 10 },
      { host: '127.0.0.1', port: 0, certificates: { hosts }, webhooks: [allowAll], report: () => undefined },
    );
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: server.caBundle });
    socket.write('POST /validate HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
    let text = '';
    for await (const piece of socket.setEncoding('utf8') as AsyncIterable<string>) text += piece;
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.equal((await send(server)).code, 200);
  });

  it('renews its certificate and keeps open connections', async () => {
    // Both certificates are valid at the time of the test's own clients.
    const clock = new VirtualClock(Date.now() - 340 * day);
    await using server = await serve({ clock });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { serial } = await send(server, review, { agent });
    clock.skip(340 * day);
    await clock.advance(hour);
    const renewed = await until(async () => {
      const reply = await send(server);
      return reply.serial === serial ? undefined : reply;
    });
    assert.equal(renewed.code, 200);
    const kept = await send(server, review, { agent });
    assert.deepEqual([kept.code, kept.serial], [200, serial], 'on the first connection');
    agent.destroy();
  });

  it('finishes the requests that run when its signal fires, and then closes', async () => {
    const stop = new AbortController();
    let started = () => undefined as void;
    let finish = () => undefined as void;
    const running = new Promise<void>((resolve) => (started = resolve));
    const allowed = new Promise<void>((resolve) => (finish = resolve));
    const slow = webhook({
      path: '/validate',
      validate() {
        started();
        return allowed;
      },
    });
    await using server = await serve({ webhooks: [slow], signal: stop.signal });
    const agent = new Agent({ keepAlive: true });
    const reply = send(server, review, { agent });
    await running;
    stop.abort();
    await assert.rejects(
      until(() => send(server).then(() => undefined)),
      { code: 'ECONNREFUSED' },
    );
    finish();
    assert.deepEqual([(await reply).code, (await reply).connection], [200, 'close']);
    await server.closed;
    agent.destroy();
  });

  it('ends requests that outlive the grace period', async () => {
    const clock = new VirtualClock(Date.now());
    let started = () => undefined as void;
    const running = new Promise<void>((resolve) => (started = resolve));
    const aborted = new Promise((resolve) => {
      const stuck = webhook({
        path: '/validate',
        validate: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', resolve);
            started();
          }),
      });
      void serve({ clock, webhooks: [stuck], gracePeriod: 1000 }).then(async (server) => {
        const reply = assert.rejects(send(server));
        await running;
        const closed = server.close();
        await settle();
        await clock.advance(1000);
        await closed;
        await reply;
      });
    });
    await aborted;
  });

  it('refuses two webhooks with one path, a port in use, and a signal that has fired', async () => {
    await assert.rejects(serve({ webhooks: [allowAll, allowAll] }), /two webhooks have the same path/);
    await using server = await serve();
    await assert.rejects(serve({ port: server.port, report: () => undefined }), { code: 'EADDRINUSE' });
    await assert.rejects(serve({ signal: AbortSignal.abort(new Error('stopped')) }), /stopped/);
  });
});

describe('a webhook server with a certificate directory', { timeout: 600_000 }, () => {
  const folder = mkdtemp(join(tmpdir(), 'webhook-'));
  after(async () => rm(await folder, { recursive: true }));

  const write = async ({ certificate, privateKey }: CertificatePair, ca: string) => {
    const directory = await folder;
    await writeFile(join(directory, 'tls.crt'), certificate);
    await writeFile(join(directory, 'tls.key'), privateKey);
    await writeFile(join(directory, 'ca.crt'), ca);
    return directory;
  };

  it('reads changed files, and keeps its certificate while they do not match', async () => {
    const clock = new VirtualClock(Date.now());
    const issuer = await createIssuer('test-ca', clock.now());
    const { certificate: ca } = issuer.authority;
    const [first, second] = [issuer.issueServing('a', hosts), issuer.issueServing('b', hosts)];
    const directory = await write(first, ca);
    const reports: string[] = [];
    await using server = await serve({
      clock,
      certificates: { directory },
      report: (error) => reports.push(String(error)),
    });
    assert.equal(server.caBundle, ca);
    const { serial } = await send(server);

    await write({ certificate: second.certificate, privateKey: first.privateKey }, ca);
    await clock.advance(10_000);
    await until(async () => (reports.length === 0 ? undefined : reports));
    assert.match(reports.join(), /tls\.key is not the key of tls\.crt/);
    assert.equal((await send(server)).serial, serial);

    await write(second, ca);
    await clock.advance(10_000);
    await until(async () => ((await send(server)).serial === serial ? undefined : true));
  });

  it('does not start without its files', async () => {
    await assert.rejects(serve({ certificates: { directory: join(await folder, 'none') } }), { code: 'ENOENT' });
  });
});

/** Calls `find` until it finds something. The time limit of the suite bounds it. */
async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await settle();
  }
}
