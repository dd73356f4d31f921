import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { parseRequestInfo, RequestContext } from '../request/index.js';
import { FakeBackend, FakeExchange, type FakeRequest, messageOf, type Reaction } from '../testing/index.js';
import { authorityOf, targetOf } from './destination.js';
import { objectProxy } from './object-proxy.js';

const PROXY = '/api/v1/namespaces/n/services/s/proxy';
const address = { scheme: 'http', host: '10.1.0.1', port: 8080, trust: 'anyone' } as const;

/** Sends a request through the proxy to a backend that reacts like this. */
async function proxied(path: string, react: () => Reaction = () => messageOf(), request: FakeRequest = {}) {
  const backend = new FakeBackend(react);
  const url = `${PROXY}${path}`;
  const exchange = new FakeExchange({ ...request, url, headers: { host: 'api:6443', ...request.headers } });
  const [pathname = '', query = ''] = url.split('?');
  const context = new RequestContext(exchange, decodeURIComponent(pathname), new URLSearchParams(query), 0);
  context.info = parseRequestInfo(exchange.method, context.path, context.query);
  const opened: string[] = [];
  const handler = objectProxy(() => Promise.resolve(address), {
    // A service proxy reads no objects after its address is found.
    destinations: undefined as never,
    clock: new VirtualClock(),
    userHeaders: { names: [], prefixes: [] },
    connections: {
      open: (to, sent) => {
        opened.push(`${to.scheme}://${authorityOf(to)}${targetOf(to)}`);
        return backend.open({ ...sent, url: targetOf(to) });
      },
    },
  });
  await handler(context);
  return { exchange, opened, received: backend.received };
}

describe('a proxy to an object', () => {
  for (const [path, url, uri] of [
    ['/', 'http://10.1.0.1:8080/', `${PROXY}/`],
    ['/a%20b/c?x=1&y=%2F', 'http://10.1.0.1:8080/a%20b/c?x=1&y=%2F', `${PROXY}/a%20b/c`],
    ['/a/', 'http://10.1.0.1:8080/a/', `${PROXY}/a/`],
  ] as const) {
    it(`passes ${path} on`, async () => {
      const { opened, received } = await proxied(path);
      assert.deepEqual(opened, [url]);
      assert.deepEqual(received[0]?.headers, {
        host: 'api:6443',
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-uri': uri,
      });
    });
  }

  it('passes bodies, and no credentials', async () => {
    const headers = { authorization: 'Bearer secret', 'impersonate-user': 'root', cookie: 'a=b' };
    const { received } = await proxied('', undefined, { method: 'POST', body: 'text', headers });
    const [{ body, method, headers: sent } = assert.fail()] = received;
    assert.deepEqual([method, body, sent['cookie']], ['POST', 'text', ['a=b']]);
    assert.deepEqual([sent['authorization'], sent['impersonate-user']], [undefined, undefined]);
  });

  it('redirects a read of its root to the path with a slash', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { exchange, opened } = await proxied('?x=1', undefined, { method });
      assert.deepEqual([exchange.status, exchange.responseHeaders['location']], [301, `${PROXY}/?x=1`]);
      assert.deepEqual(opened, []);
    }
  });

  it('leads redirects and pages back through itself, and grants no other origin', async () => {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', vary: 'origin' };
    const redirect = messageOf({ status: 302, headers: { location: 'http://10.1.0.1:8080/login', ...cors } });
    const { exchange } = await proxied('/', () => redirect);
    assert.equal(exchange.status, 302);
    assert.deepEqual(exchange.responseHeaders, { location: `${PROXY}/login`, vary: 'origin' });

    const headers = { 'content-type': 'text/html', 'content-length': '12' };
    const page = await proxied('/x', () => messageOf({ headers, body: ['<a href="/a">'] }));
    assert.equal(page.exchange.body, `<a href="${PROXY}/a">`);
    assert.deepEqual(page.exchange.responseHeaders, { 'content-type': 'text/html' });

    const plain = await proxied('/x', () =>
      messageOf({ headers: { 'content-type': 'text/plain' }, body: ['<a href="/a">'] }),
    );
    assert.equal(plain.exchange.body, '<a href="/a">');
  });

  it('reports a backend that cannot be reached, or switches protocols unasked', async () => {
    const refused = Object.assign(new Error(), { code: 'ECONNREFUSED', address: '10.1.0.1', port: 8080 });
    const reason = 'error trying to reach service: ';
    const message = `${reason}dial tcp 10.1.0.1:8080: connect: connection refused`;
    await assert.rejects(
      proxied('/', () => refused),
      { message, code: 503 },
    );
    const unasked = () => ({ upgraded: messageOf({ status: 101 }) });
    await assert.rejects(proxied('/', unasked), {
      message: `${reason}the backend switched protocols unasked`,
      code: 503,
    });
  });
});
