import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { type EndedSpan, Tracer } from '@binnacle/apimachinery/tracing';
import { parseRequestInfo, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { spanName, tracing } from './tracing-filter.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** The spans of a request by a user of this group, the innermost first. */
function spansOf(method: string, url: string, group: string, headers: Record<string, string>, rate = 0) {
  const clock = new VirtualClock();
  const spans: EndedSpan[] = [];
  const tracer = new Tracer({
    clock,
    random: seededRandom(1),
    samplingRatePerMillion: rate,
    exportSpan: (span) => void spans.push(span),
  });
  const filter = tracing(tracer, clock);
  const exchange = new FakeExchange({ method, url, headers });
  const [path = '', query] = url.split('?');
  const context = new RequestContext(exchange, path, new URLSearchParams(query), clock.monotonic());
  context.info = parseRequestInfo(method, path, context.query);
  context.auditId = 'id';
  context.user = { name: 'jane', uid: '', groups: [group], extra: {} };
  clock.skip(3);
  void filter.enter(context);
  clock.skip(4);
  context.trace?.ended('Listing from storage done');
  exchange.respond(200, {}, 'body');
  filter.leave?.(context);
  return { spans, context };
}

describe('tracing', () => {
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'user-agent': 'kubectl', accept: '*/*' };
  const LIST = '/api/v1/namespaces/default/pods?limit=5';

  it('records a request of an administrator whose trace is sampled, and its operation with the steps', () => {
    const { spans, context } = spansOf('GET', LIST, 'system:masters', headers);
    const [operation, request] = spans;
    assert.equal(spans.length, 2);
    assert.deepEqual(
      [request?.name, request?.kind, request?.context.traceId, request?.parentSpanId],
      ['GET /api/v1/namespaces/{:namespace}/pods', 'server', traceId, '00f067aa0ba902b7'],
    );
    assert.equal((request?.end ?? 0) - (request?.start ?? 0), 7);
    assert.equal(request?.attributes['http.target'], LIST);
    assert.equal(request.attributes['url.path'], '/api/v1/namespaces/default/pods');
    assert.equal(request.attributes['http.response.status_code'], 200);
    assert.equal(request.attributes['audit-id'], 'id');
    assert.equal(request.attributes['user_agent.original'], 'kubectl');
    assert.deepEqual([operation?.name, operation?.parentSpanId], ['List', request.context.spanId]);
    assert.deepEqual(
      operation?.events.map(({ name }) => name),
      ['Listing from storage done'],
    );
    assert.equal(operation.attributes['verb'], 'LIST');
    assert.equal(operation.attributes['resource'], 'pods');
    assert.match(
      context.span?.headers['traceparent'] ?? '',
      new RegExp(`^00-${traceId}-${operation.context.spanId}-01$`),
    );
  });

  it('continues no trace of another user', () => {
    assert.deepEqual(spansOf('GET', LIST, 'developers', headers).spans, []);
    const [, request] = spansOf('GET', LIST, 'developers', headers, 1_000_000).spans;
    assert.notEqual(request?.context.traceId, traceId);
    assert.equal(request?.link?.traceId, traceId);
  });

  it('records nothing of a trace that is not sampled, or of no trace', () => {
    const unsampled = { traceparent: `00-${traceId}-00f067aa0ba902b7-00` };
    assert.deepEqual(spansOf('GET', LIST, 'system:masters', unsampled, 1_000_000).spans, []);
    const { spans, context } = spansOf('GET', LIST, 'system:masters', {});
    assert.deepEqual(spans, []);
    assert.equal(context.trace, undefined);
  });

  it('has one span for a request that is for no object', () => {
    const { spans } = spansOf('GET', '/version', 'system:masters', headers);
    assert.deepEqual(
      spans.map(({ name }) => name),
      ['GET'],
    );
    assert.equal(spans[0]?.attributes['http.response.status_code'], 200);
  });
});

describe('spanName', () => {
  for (const [path, expected] of [
    [
      '/apis/apps/v1/namespaces/a/deployments/b/status',
      'GET /apis/apps/v1/namespaces/{:namespace}/deployments/{:name}/status',
    ],
    ['/api/v1/nodes', 'GET /api/v1/nodes'],
    ['/healthz', 'GET'],
  ] as const) {
    it(path, () => assert.equal(spanName('GET', parseRequestInfo('GET', path, new URLSearchParams())), expected));
  }
});
