import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { respondText } from '../http/index.js';
import { FakeExchange } from '../testing/index.js';
import { createHandlerChain } from './handler-chain.js';
import { shutdownRefusal } from './shutdown-refusal.js';

/** The answer of a server that has begun to refuse requests, or has not. */
function answerOf(refuses: boolean, exchange: FakeExchange): FakeExchange {
  const run = createHandlerChain({
    filters: [shutdownRefusal(() => refuses)],
    handler: (context) => respondText(context, 200, 'served'),
    now: () => 0,
    report: () => undefined,
  });
  run(exchange);
  return exchange;
}

// Upstream: `with_retry_after_test.go`.
describe('shutdownRefusal', () => {
  it('answers 429 and closes the connection, from the moment that it is told to', () => {
    assert.equal(answerOf(false, new FakeExchange({ url: '/api' })).status, 200);
    const { status, body, responseHeaders } = answerOf(true, new FakeExchange({ url: '/api' }));
    assert.deepEqual([status, body], [429, 'The apiserver is shutting down, please try again later.\n']);
    assert.deepEqual(
      { ...responseHeaders },
      {
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'retry-after': '5',
        connection: 'close',
      },
    );
  });

  it('serves probes, scrapes, and requests of the process itself', () => {
    for (const url of ['/readyz', '/livez/ping', '/healthz', '/metrics/slis']) {
      assert.equal(answerOf(true, new FakeExchange({ url })).status, 200, url);
    }
    const caller = { name: 'system:apiserver', uid: '', groups: [], extra: {} };
    assert.equal(answerOf(true, Object.assign(new FakeExchange({ url: '/api' }), { caller })).status, 200);
  });
});
