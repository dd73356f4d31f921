import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { tooManyRequests } from '@binnacle/apimachinery/status';
import { RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { acceptsGzip } from './gzip.js';
import { respondJson, respondStatus, writeResponse } from './response.js';
import { warningHeaders } from './warning-header.js';

function contextOf(exchange: FakeExchange, query = ''): RequestContext {
  return new RequestContext(exchange, '/', new URLSearchParams(query), 0);
}

describe('writeResponse', () => {
  it('merges the headers of filters with those of the handler, which win, and each warning once', () => {
    const exchange = new FakeExchange({});
    const context = contextOf(exchange);
    context.responseHeaders['audit-id'] = 'a';
    context.responseHeaders['cache-control'] = 'no-cache, private';
    context.warn('old "thing"');
    context.warn('old "thing"');
    void writeResponse(context, 200, { 'cache-control': 'public' }, 'x');
    assert.deepEqual(exchange.responseHeaders, {
      'audit-id': 'a',
      'cache-control': 'public',
      warning: ['299 - "old \\"thing\\""'],
    });
    assert.equal(exchange.body, 'x');
  });

  it('compresses what is large, for those who ask', async () => {
    const large = 'x'.repeat(128 * 1024 + 1);
    const asking = new FakeExchange({ headers: { 'accept-encoding': 'deflate, gzip' } });
    await writeResponse(contextOf(asking), 200, {}, large);
    assert.equal(asking.responseHeaders['content-encoding'], 'gzip');
    assert.equal(asking.responseHeaders['vary'], 'Accept-Encoding');
    assert.equal(gunzipSync(asking.bytes).length, large.length);
    const silent = new FakeExchange({});
    void writeResponse(contextOf(silent), 200, {}, large);
    assert.equal(silent.responseHeaders['content-encoding'], undefined);
    const small = new FakeExchange({ headers: { 'accept-encoding': 'gzip' } });
    void writeResponse(contextOf(small), 200, {}, 'x');
    assert.equal(small.responseHeaders['content-encoding'], undefined);
  });

  it('compresses piece by piece what is made while it is sent', async () => {
    const memory = Buffer.alloc(100_000);
    const body = {
      length: 3 * memory.length,
      *pieces() {
        for (const letter of 'abc') yield memory.fill(letter);
      },
    };
    const exchange = new FakeExchange({ headers: { 'accept-encoding': 'gzip' } });
    await writeResponse(contextOf(exchange), 200, {}, body);
    const expected = Array.from('abc', (letter) => letter.repeat(memory.length)).join('');
    assert.ok(gunzipSync(exchange.bytes).toString() === expected);
    assert.equal(exchange.ended, true);
  });

  it('stops compressing for a client that has gone', async () => {
    let made = 0;
    const endless = {
      length: Number.MAX_SAFE_INTEGER,
      *pieces() {
        for (;;) {
          made++;
          yield randomBytes(100_000);
        }
      },
    };
    const gone = new FakeExchange({ headers: { 'accept-encoding': 'gzip' } });
    const respondStream = gone.respondStream.bind(gone);
    gone.respondStream = (status, headers) => ({
      ...respondStream(status, headers),
      write: () => false,
      drained: () => Promise.reject(new Error('gone')),
    });
    await writeResponse(contextOf(gone), 200, {}, endless);
    assert.ok(made > 0 && made < 100);
  });

  it('writes a Status with the time to wait', () => {
    const exchange = new FakeExchange({});
    void respondStatus(contextOf(exchange), tooManyRequests('busy', 7));
    assert.equal(exchange.status, 429);
    assert.equal(exchange.responseHeaders['retry-after'], '7');
    assert.equal(exchange.responseHeaders['content-type'], 'application/json');
    assert.equal(
      exchange.body,
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"busy","reason":"TooManyRequests","details":{"retryAfterSeconds":7},"code":429}\n',
    );
  });

  it('indents for people, and never looks like HTML', () => {
    const browser = new FakeExchange({ headers: { 'user-agent': 'curl/8' } });
    void respondJson(contextOf(browser), 200, { a: '<b>' });
    assert.equal(browser.body, '{\n  "a": "\\u003cb\\u003e"\n}');
    const plain = new FakeExchange({ headers: { 'user-agent': 'curl/8' } });
    void respondJson(contextOf(plain, 'pretty=0'), 200, { a: 1 });
    assert.equal(plain.body, '{"a":1}\n');
  });
});

describe('acceptsGzip', () => {
  it('takes the plain token only', () => {
    assert.equal(acceptsGzip(' gzip ,br'), true);
    assert.equal(acceptsGzip('gzip;q=0.5'), false);
    assert.equal(acceptsGzip(undefined), false);
  });
});

describe('warningHeaders', () => {
  it('leaves out what cannot be sent and spells UTF-8 out', () => {
    assert.deepEqual(warningHeaders(['', 'a\nb', 'é\\']), ['299 - "\u00c3\u00a9\\\\"']);
  });

  it('cuts a long text between characters', () => {
    const [header = ''] = warningHeaders(['😀'.repeat(5000)]);
    assert.equal(Buffer.from(header, 'latin1').toString(), `299 - "${'😀'.repeat(256)}"`);
  });

  it('takes a megabyte of texts from a request, the first always', () => {
    const context = contextOf(new FakeExchange({}));
    context.warn('x'.repeat(1_400_000));
    context.warn('a');
    assert.equal(context.warnings.length, 1);
    assert.equal(warningHeaders(context.warnings).length, 1);
  });

  it('cuts the texts when together they are too long', () => {
    const texts = Array.from({ length: 30 }, (_, index) => `${index} `.padEnd(300, 'x'));
    const headers = warningHeaders(texts);
    assert.equal(headers.length, 16);
    assert.ok(headers.every((header) => header.length === 256 + '299 - ""'.length));
  });
});
