import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TokenBucket } from '@binnacle/apimachinery/clock';
import type { Credentials } from '../kubeconfig/index.js';
import { VirtualClock } from '../testing/index.js';
import { withAuthentication } from './authentication.js';
import { withCompression } from './compression.js';
import {
  ConnectionError,
  parseWarnings,
  readBody,
  readLines,
  type Send,
  type TransportObserver,
  type TransportRequest,
  type TransportResponse,
} from './index.js';
import { withRateLimit } from './transport-over.js';
import { withRetry } from './retry.js';
import { impersonationHeaders, withDefaultHeaders } from './default-headers.js';
import { withObserver } from './observe.js';
import { withTimeout } from './timeout.js';
import { withWarnings } from './warnings.js';

async function* chunks(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function answer(
  status: number,
  headers: Record<string, string> = {},
  ...body: (string | Uint8Array)[]
): TransportResponse {
  return { status, headers, body: chunks(...body), cancel: () => undefined };
}

/** Returns the answers in order; throws errors. */
function scripted(...turns: (TransportResponse | Error)[]): { send: Send; requests: TransportRequest[] } {
  const requests: TransportRequest[] = [];
  const send: Send = async (request) => {
    requests.push(request);
    const turn = turns[Math.min(requests.length, turns.length) - 1];
    if (turn === undefined || turn instanceof Error) throw turn ?? new Error('no turn');
    return turn;
  };
  return { send, requests };
}

const get: TransportRequest = { method: 'GET', path: '/api?watch=1' };
const post: TransportRequest = { method: 'POST', path: '/api', body: '{}' };

describe('retry', () => {
  it('repeats a request after Retry-After', async () => {
    const clock = new VirtualClock();
    const { send, requests } = scripted(
      answer(429, { 'retry-after': '3' }),
      answer(503, { 'retry-after': '1' }),
      answer(201),
    );
    const response = withRetry(send, clock)(post, {});
    await clock.advance(2999);
    assert.equal(requests.length, 1);
    await clock.advance(1);
    assert.equal(requests.length, 2);
    await clock.advance(1000);
    assert.equal((await response).status, 201);
    assert.equal(requests[2]?.body, '{}');
  });

  it('reads dates in Retry-After', async () => {
    const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
    const { send } = scripted(answer(503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }), answer(200));
    const response = withRetry(send, clock)(get, {});
    await clock.advance(4999);
    assert.equal(clock.waiting, 1);
    await clock.advance(1);
    assert.equal((await response).status, 200);
  });

  it('does not repeat a request without Retry-After', async () => {
    for (const [status, headers] of [
      [503, {}],
      [500, {}],
      [409, { 'retry-after': '1' }],
      [429, { 'retry-after': 'soon' }],
    ] as const) {
      const { send, requests } = scripted(answer(status, headers));
      assert.equal((await withRetry(send, new VirtualClock())(get, {})).status, status);
      assert.equal(requests.length, 1);
    }
  });

  it('returns the last answer after ten retries', async () => {
    const clock = new VirtualClock();
    const { send, requests } = scripted(answer(429, { 'retry-after': '0' }));
    const response = withRetry(send, clock)(get, {});
    await clock.advance(0);
    assert.equal((await response).status, 429);
    assert.equal(requests.length, 11);
  });

  it('repeats reads after broken connections, and writes only if the server did not act', async () => {
    const clock = new VirtualClock();
    const broken = new ConnectionError('broken', 'reset');
    const reading = withRetry(scripted(broken, answer(200)).send, clock)(get, {});
    await clock.advance(1000);
    assert.equal((await reading).status, 200);
    await assert.rejects(withRetry(scripted(broken, answer(200)).send, clock)(post, {}), broken);
    const refused = withRetry(scripted(new ConnectionError('unprocessed', 'goaway'), answer(201)).send, clock)(
      post,
      {},
    );
    await clock.advance(0);
    assert.equal((await refused).status, 201);
    const unreachable = new ConnectionError('connecting', 'refused');
    await assert.rejects(withRetry(scripted(unreachable).send, clock)(get, {}), unreachable);
  });

  it('stops waiting when the signal fires', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const { send } = scripted(answer(429, { 'retry-after': '60' }));
    const response = withRetry(send, clock)(get, { signal: controller.signal });
    await clock.advance(1);
    controller.abort(new Error('enough'));
    await assert.rejects(response, /enough/);
    assert.equal(clock.waiting, 0);
  });
});

describe('rate limit', () => {
  it('passes a burst, then one request at a time in order', async () => {
    const clock = new VirtualClock();
    const passed: number[] = [];
    const send = withRateLimit(
      async ({ path }) => {
        passed.push(Number(path));
        return answer(200);
      },
      new TokenBucket({ qps: 10, burst: 2 }, clock),
    );
    const all = Promise.all([0, 1, 2, 3].map((path) => send({ method: 'GET', path: String(path) }, {})));
    await clock.advance(0);
    assert.deepEqual(passed, [0, 1]);
    await clock.advance(100);
    assert.deepEqual(passed, [0, 1, 2]);
    await clock.advance(100);
    assert.deepEqual(passed, [0, 1, 2, 3]);
    await all;
  });

  it('returns the token of an aborted request', async () => {
    const clock = new VirtualClock();
    const bucket = new TokenBucket({ qps: 1, burst: 1 }, clock);
    await bucket.take();
    const controller = new AbortController();
    const given = bucket.take(controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(given, /enough/);
    let taken = false;
    const next = bucket.take().then(() => {
      taken = true;
    });
    await clock.advance(1000);
    assert.equal(taken, true);
    await next;
  });

  it('rejects a limit of zero', () => {
    assert.throws(() => new TokenBucket({ qps: 0, burst: 1 }, new VirtualClock()), RangeError);
  });
});

describe('timeout', () => {
  it('ends requests without a response, and long bodies', async () => {
    const clock = new VirtualClock();
    const never: Send = (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
    const waiting = withTimeout(never, clock)(get, { timeout: 1000 });
    const rejected = assert.rejects(waiting, { name: 'TimeoutError', message: 'GET /api: no answer within 1000 ms' });
    await clock.advance(1000);
    await rejected;

    const slow: Send = async (_, { signal }) => ({
      ...answer(200),
      body: (async function* () {
        yield Buffer.from('a');
        await new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      })(),
    });
    const reading = readBody(await withTimeout(slow, clock)(get, { timeout: 1000 }));
    const cut = assert.rejects(reading, { name: 'TimeoutError' });
    await clock.advance(1000);
    await cut;
  });

  it('leaves no timer behind', async () => {
    const clock = new VirtualClock();
    const send = withTimeout(scripted(answer(200, {}, 'a')).send, clock);
    await readBody(await send(get, { timeout: 1000 }));
    (await send(get, { timeout: 1000 })).cancel();
    await assert.rejects(withTimeout(scripted(new Error('x')).send, clock)(get, { timeout: 1000 }), /x/);
    assert.equal(clock.waiting, 0);
  });
});

describe('authentication', () => {
  const sentWith = (requests: TransportRequest[]) => requests.map(({ headers }) => headers?.['authorization']);

  it('sends the token or else the password, unless the request has its own header', async () => {
    const { send, requests } = scripted(answer(200));
    const server = 'https://h';
    await withAuthentication(send, { server, token: 't', username: 'u' })(get, {});
    await withAuthentication(send, { server, username: 'u', password: 'p' })(get, {});
    await withAuthentication(send, { server })(get, {});
    await withAuthentication(send, { server, token: 't' })({ ...get, headers: { authorization: 'mine' } }, {});
    assert.deepEqual(sentWith(requests), ['Bearer t', `Basic ${btoa('u:p')}`, undefined, 'mine']);
  });

  it('repeats a request once after a 401 with new credentials', async () => {
    let current: Credentials = { token: 'old' };
    const rejected: Credentials[] = [];
    const credentials = {
      current: async () => current,
      rejected: (refused: Credentials) => {
        rejected.push(refused);
        current = { token: 'new' };
      },
    };
    const { send, requests } = scripted(answer(401), answer(200));
    const response = await withAuthentication(send, { server: 'https://h', credentials })(post, {});
    assert.equal(response.status, 200);
    assert.deepEqual(sentWith(requests), ['Bearer old', 'Bearer new']);
    assert.deepEqual(rejected, [{ token: 'old' }]);
    const hopeless = { current: async () => current, rejected: () => undefined };
    const refused = scripted(answer(401));
    assert.equal(
      (await withAuthentication(refused.send, { server: 'https://h', credentials: hopeless })(post, {})).status,
      401,
    );
    assert.equal(refused.requests.length, 1);
  });
});

describe('headers', () => {
  it('carry impersonation, with escaped keys', () => {
    assert.deepEqual(
      impersonationHeaders({ user: 'u', uid: '1', groups: ['a', 'b'], extra: { 'Example.com/Sc%': ['x'] } }),
      {
        'impersonate-user': 'u',
        'impersonate-uid': '1',
        'impersonate-group': ['a', 'b'],
        'impersonate-extra-example.com%2Fsc%25': ['x'],
      },
    );
  });

  it('of the request take precedence over defaults', async () => {
    const { send, requests } = scripted(answer(200));
    await withDefaultHeaders(send, 'me', { user: 'u' })({ ...get, headers: { 'user-agent': 'other' } }, {});
    assert.deepEqual(requests[0]?.headers, { 'user-agent': 'other', 'impersonate-user': 'u' });
  });

  it('hold warnings, which the handler gets', async () => {
    const received: string[] = [];
    const header = '299 - "a \\"b\\", c", 299 kube "\u00c3\u00a9" "Thu, 01 Jan 2026 00:00:00 GMT", nonsense';
    await withWarnings(scripted(answer(200, { warning: header })).send, ({ text }) => received.push(text))(get, {});
    assert.deepEqual(received, ['a "b", c', '\u00e9']);
    assert.deepEqual(parseWarnings('299 - "\u00e9"'), [{ code: 299, agent: '-', text: '\u00e9' }]);
    assert.deepEqual(parseWarnings('x'), []);
  });
});

describe('bodies', () => {
  it('are decompressed', async () => {
    const packed = gzipSync('hello '.repeat(1000));
    const { send, requests } = scripted(
      answer(200, { 'content-encoding': 'gzip' }, packed.subarray(0, 9), packed.subarray(9)),
    );
    const body = await readBody(await withCompression(send)(get, {}));
    assert.equal(Buffer.from(body).toString(), 'hello '.repeat(1000));
    assert.equal(requests[0]?.headers?.['accept-encoding'], 'gzip');
    const damaged = scripted(answer(200, { 'content-encoding': 'gzip' }, 'x'.repeat(20)));
    await assert.rejects(
      async () => readBody(await withCompression(damaged.send)(get, {})),
      /compressed response is corrupt/,
    );
  });

  it('have a limit on their length', async () => {
    assert.equal(Buffer.from(await readBody(answer(200, {}, 'ab', 'cd'), 4)).toString(), 'abcd');
    await assert.rejects(readBody(answer(200, {}, 'ab', 'cd'), 3), { name: 'BodyTooLongError' });
  });

  it('are split into lines of bounded length across chunks', async () => {
    const read = async (texts: string[], maxBytes?: number) => {
      const lines: string[] = [];
      for await (const line of readLines(chunks(...texts), maxBytes)) lines.push(Buffer.from(line).toString());
      return lines;
    };
    assert.deepEqual(await read(['a', 'b\n\nc\nd', '\n', 'e']), ['ab', 'c', 'd', 'e']);
    assert.deepEqual(await read('{"a":1}\n{"b":2}\n'.split('')), ['{"a":1}', '{"b":2}']);
    assert.deepEqual(await read(['abc\nabc\n'], 3), ['abc', 'abc']);
    await assert.rejects(read(['ab', 'cd'], 3), { name: 'BodyTooLongError' });
    await assert.rejects(read(['abcd\n'], 3), { name: 'BodyTooLongError' });
  });
});

describe('observer', () => {
  it('is called for each attempt, and for the end of each answer', async () => {
    const clock = new VirtualClock();
    const heard: unknown[] = [];
    const observer: TransportObserver = {
      sent: (...facts) => heard.push(['sent', ...facts]),
      ended: (...facts) => heard.push(['ended', ...facts]),
      retried: (...facts) => heard.push(['retried', ...facts]),
    };
    const { send } = scripted(
      answer(429, { 'retry-after': '3' }),
      answer(201, {}, 'abc', 'def'),
      answer(200, {}, '{}'),
      new ConnectionError('connecting', 'refused'),
    );
    const observed = withRetry(withObserver(send, observer, clock), clock, observer);
    const response = observed(post, {});
    await clock.advance(3000);
    const created = await response;
    await clock.advance(500);
    assert.equal((await readBody(created)).toString(), 'abcdef');
    await observed(get, {});
    await assert.rejects(observed({ method: 'GET', path: '/api' }, {}));
    assert.deepEqual(heard, [
      ['sent', 'POST', 429, 2],
      ['ended', 'POST', 0, 0],
      ['retried', 'POST', 429],
      ['sent', 'POST', 201, 2],
      ['ended', 'POST', 0.5, 6],
      ['sent', 'GET', 200, 0],
      ['sent', 'GET', undefined, 0],
      ['ended', 'GET', 0, undefined],
    ]);
  });
});
