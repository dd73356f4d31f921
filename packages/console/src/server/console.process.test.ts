import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { type ScriptedAnswer, ScriptedTransport } from '@binnacle/client/testing';
import { type RunningConsole, startConsole } from './index.js';

const pods = {
  resource: 'pods',
  responseKind: { group: '', version: 'v1', kind: 'Pod' },
  scope: 'Namespaced',
  verbs: ['get', 'list', 'watch'],
};
const discovery = (versions: readonly object[]) => ({
  headers: { 'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
  object: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items: versions },
});
const pod = (name: string) => ({
  metadata: { name, namespace: 'shop', uid: name, resourceVersion: '7' },
  status: { phase: 'Pending' },
});

/** An API server with one pod. `answer` may answer first. */
function fakeServer(
  answer: (path: string, method: string) => ScriptedAnswer | undefined = () => undefined,
): ScriptedTransport {
  return new ScriptedTransport(({ path, method }, { signal }) => {
    const own = answer(path, method);
    if (own !== undefined) return own;
    if (path === '/api')
      return discovery([{ metadata: { name: '' }, versions: [{ version: 'v1', resources: [pods] }] }]);
    if (path === '/apis') return discovery([]);
    if (path === '/version') return { object: { gitVersion: 'v1.36.0' } };
    if (path.startsWith('/api/v1/pods?') && path.includes('watch')) return { lines: untilAborted(signal) };
    if (path.startsWith('/api/v1/pods?')) {
      return {
        object: { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items: [pod('web-0')] },
      };
    }
    return { status: 404, object: { kind: 'Status', code: 404, message: 'no such path' } };
  });
}

async function* untilAborted(signal: AbortSignal | undefined): AsyncGenerator<object, void, undefined> {
  if (signal !== undefined && !signal.aborted) await once(signal, 'abort').catch(() => undefined);
  yield* [];
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends exactly these headers; the host is the right one unless given. */
async function send(
  console: Opened | string,
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { method?: string; body?: string | Uint8Array } = {},
): Promise<Answer> {
  const origin = typeof console === 'string' ? console : console.origin;
  const session = typeof console === 'string' ? {} : { cookie: console.cookie, 'x-binnacle-console': console.key };
  const sent = request(`${origin}${path}`, { method, headers: { ...session, ...headers }, agent: false });
  sent.end(body);
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
  });
}

interface Opened {
  readonly origin: string;
  readonly cookie: string;
  readonly key: string;
}

async function open(running: RunningConsole): Promise<Opened> {
  const link = new URL(running.newLink());
  const { status, headers } = await send(link.origin, `/${link.search}`);
  assert.equal(status, 303);
  const [cookie = ''] = headers['set-cookie'] ?? [];
  assert.match(cookie, /^binnacle-console-\d+=[\w-]+; HttpOnly; SameSite=Strict; Path=\/$/);
  const [, key = ''] = /^\/#key=([\w-]+)$/.exec(headers.location ?? '') ?? [];
  return { origin: link.origin, cookie: cookie.split(';')[0] ?? '', key };
}

const started = (transport: ScriptedTransport) =>
  startConsole({ transport, server: 'https://example.com', clock: systemClock });

describe('the console', () => {
  it('listens on loopback, at any free port', async () => {
    await using running = await started(fakeServer());
    assert.match(running.newLink(), /^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/);
  });

  it('closes connections without a request, which keep those of the page out', { timeout: 600_000 }, async () => {
    await using running = await started(fakeServer());
    const { origin, hostname, port } = new URL(running.newLink());
    const silent = Array.from({ length: 64 }, () => connect(Number(port), hostname));
    await Promise.all(silent.map((socket) => once(socket.resume(), 'close')));
    assert.equal((await send(origin, '/')).status, 200);
  });

  it('serves its page with a strict policy, and nothing that another site can embed', async () => {
    await using running = await started(fakeServer());
    const { origin } = new URL(running.newLink());
    for (const [path, type] of [
      ['/', 'text/html'],
      ['/page.js', 'text/javascript'],
      ['/page.css', 'text/css'],
    ] as const) {
      const { status, headers, text } = await send(origin, path);
      assert.equal(status, 200);
      assert.ok(headers['content-type']?.startsWith(type));
      const policy = String(headers['content-security-policy']);
      for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        assert.ok(policy.includes(rule), rule);
      }
      assert.ok(!policy.includes('unsafe'), policy);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['access-control-allow-origin'], undefined);
      assert.doesNotMatch(text.slice(0, 500), /https?:\/\//);
    }
  });

  it('opens a session once for each link', async () => {
    await using running = await started(fakeServer());
    const link = new URL(running.newLink());
    assert.equal((await send(link.origin, `/?token=${'x'.repeat(32)}`)).status, 403);
    assert.equal((await send(link.origin, `/${link.search}`)).status, 303);
    const again = await send(link.origin, `/${link.search}`);
    assert.equal(again.status, 403);
    assert.match(again.text, /this link has been used/);
    assert.equal(again.headers['set-cookie'], undefined);
  });

  it('answers only requests of its own page with the session', async () => {
    await using running = await started(fakeServer());
    const opened = await open(running);
    const { origin, cookie, key } = opened;
    const path = '/console/v1/session';
    assert.equal((await send(opened, path)).status, 200);
    const own = { cookie, 'x-binnacle-console': key };
    const refused: readonly [string, Record<string, string>, number][] = [
      ['no session', {}, 401],
      ['the cookie alone, as another port may get it', { cookie }, 401],
      ['the key alone', { 'x-binnacle-console': key }, 401],
      ['another host', { ...own, host: 'rebound.example.com' }, 403],
      ['another origin', { ...own, origin: 'http://127.0.0.1:1' }, 403],
      ['another site', { ...own, 'sec-fetch-site': 'cross-site' }, 403],
    ];
    for (const [name, headers, status] of refused) {
      assert.equal((await send(origin, path, headers)).status, status, name);
      assert.equal((await send(origin, '/console/v1/api/api/v1/pods', headers)).status, status, name);
    }
    assert.equal((await send(origin, '/', { host: 'rebound.example.com' })).status, 403);
  });

  it('forwards reads without the headers of the browser, and an answer that no browser runs', async () => {
    const transport = fakeServer((path) =>
      path === '/api/v1/namespaces/shop/pods/web-0'
        ? { headers: { 'content-type': 'text/html', 'set-cookie': 'a=b', location: '/x' }, object: '<script>' }
        : undefined,
    );
    await using running = await started(transport);
    const opened = await open(running);
    const headers = {
      authorization: 'Bearer x',
      'x-remote-user': 'root',
      'impersonate-user': 'root',
      accept: 'application/json',
    };
    const answer = await send(opened, '/console/v1/api/api/v1/namespaces/shop/pods/web-0', headers);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-type'], 'application/octet-stream');
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal(answer.headers.location, undefined);
    assert.match(String(answer.headers['content-security-policy']), /sandbox/);
    assert.deepEqual(transport.requests.at(-1)?.headers, { accept: 'application/json' });
  });

  it('refuses other paths and methods without asking the API server', async () => {
    const transport = fakeServer();
    await using running = await started(transport);
    const opened = await open(running);
    const count = transport.requests.length;
    const api = '/console/v1/api';
    const { origin } = opened;
    for (const [method, path, status] of [
      ['GET', `${api}/api/v1/namespaces/shop/pods/web-0/exec`, 403],
      ['GET', `${api}/api/v1/pods?watch=1`, 403],
      ['DELETE', `${api}/api/v1/namespaces/shop/pods/web-0`, 403],
      ['POST', `${api}/api/v1/namespaces/shop/pods`, 403],
      ['PUT', '/console/v1/live', 405],
      ['GET', '/console/v1/other', 404],
      ['GET', '/console/v1/past', 400],
      ['GET', '/console/v1/past?version=0', 400],
    ] as const) {
      assert.equal((await send(opened, path, { origin }, { method })).status, status, `${method} ${path}`);
    }
    assert.equal(transport.requests.slice(count).filter(({ path }) => !path.includes('watch')).length, 0);
  });

  it('forwards a write of its own page, up to a length', async () => {
    const transport = fakeServer((_, method) =>
      method === 'PUT' ? { object: { kind: 'Pod' }, headers: { warning: '299 - "old"' } } : undefined,
    );
    await using running = await started(transport);
    const opened = await open(running);
    const path = '/console/v1/api/api/v1/namespaces/shop/pods/web-0?dryRun=All';
    const { origin } = opened;
    const headers = { origin, 'content-type': 'application/yaml' };
    const written = await send(opened, path, headers, { method: 'PUT', body: 'kind: Pod' });
    assert.equal(written.status, 200);
    assert.equal(written.headers.warning, '299 - "old"');
    const last = transport.requests.findLast(({ method }) => method === 'PUT');
    assert.equal(String(last?.body), 'kind: Pod');
    assert.equal(last?.headers?.['content-type'], 'application/yaml');
    assert.equal((await send(opened, path, {}, { method: 'PUT', body: 'kind: Pod' })).status, 403);
    const tooLong = Buffer.alloc(3 * 1024 * 1024 + 1, 0x61);
    const answer = await send(opened, path, headers, { method: 'PUT', body: tooLong }).catch((error: Error) => error);
    assert.ok(answer instanceof Error || answer.status === 413);
    assert.equal(transport.requests.filter(({ method }) => method === 'PUT').length, 1);
  });

  it('streams all objects, and ends the stream when it stops', async () => {
    const running = await started(fakeServer());
    const opened = await open(running);
    const streamed = send(opened, '/console/v1/live').catch((error: Error) => error);
    const lines: string[] = [];
    const sent = request(`${opened.origin}/console/v1/live`, {
      headers: { cookie: opened.cookie, 'x-binnacle-console': opened.key },
      agent: false,
    });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    while (!lines.join('').includes('"complete"')) {
      const [chunk] = (await once(response, 'data')) as [string];
      lines.push(chunk);
    }
    assert.match(lines.join(''), /"name":"web-0","namespace":"shop","version":"7"/);
    await running.stop();
    assert.ok((await streamed) instanceof Error);
  });

  it('reads no more from the API server than the page takes', async () => {
    let produced = 0;
    const readMiB = () => produced;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (; produced < 64; produced += 1) {
        await new Promise(setImmediate);
        yield Buffer.alloc(1024 * 1024, 0x61);
      }
    };
    const transport = fakeServer((path) => (path.startsWith('/api/v1/nodes') ? { chunks: endless() } : undefined));
    await using running = await started(transport);
    const { origin, cookie, key } = await open(running);
    const { port } = new URL(origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.pause();
    socket.write(
      `GET /console/v1/api/api/v1/nodes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nx-binnacle-console: ${key}\r\n\r\n`,
    );
    // The buffers of the sockets fill; then the console must stop reading.
    for (let before = -1; before < 1 || before !== readMiB(); ) {
      before = readMiB();
      for (let turn = 0; turn < 5000; turn += 1) await new Promise(setImmediate);
    }
    assert.ok(readMiB() < 32, `${readMiB()} MiB of 64 were read for a page that reads nothing`);
    socket.destroy();
  });
});
