import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { parseRequestInfo, parseTarget, RequestContext } from '../request/index.js';
import { FakeExchange, type FakeRequest } from '../testing/index.js';
import { type RequestMetrics, requestMetrics, type RequestMetricsOptions } from './request-metrics.js';

const serveAll: RequestMetricsOptions['describe'] = () => ({ component: 'apiserver' });

class Server {
  readonly registry = new MetricRegistry();
  readonly metrics: RequestMetrics;
  time = 50_000;

  constructor(describe: RequestMetricsOptions['describe'] = serveAll) {
    this.metrics = requestMetrics({ registry: this.registry, now: () => this.time, describe });
  }

  begin(request: FakeRequest & { readonly url: string }): RequestContext {
    const exchange = new FakeExchange(request);
    const { path, query } = parseTarget(request.url);
    const context = new RequestContext(exchange, path, query, this.time);
    context.info = parseRequestInfo(exchange.method, path, query);
    void this.metrics.filter.enter(context);
    return context;
  }

  end(context: RequestContext, status = 200, body = ''): void {
    context.exchange.respond(status, {}, body);
    this.metrics.filter.leave?.(context);
  }

  answer(request: FakeRequest & { readonly url: string }, status = 200, body = ''): void {
    this.end(this.begin(request), status, body);
  }

  async lines(prefix: string): Promise<string[]> {
    const text = formatText(await this.registry.gather());
    return text.split('\n').filter((line) => line.startsWith(prefix));
  }

  /** The verb, scope, subresource and count of every series. */
  async kinds(): Promise<string[]> {
    const lines = await this.lines('apiserver_request_total{');
    return lines.map((line) => {
      const label = (name: string): string => new RegExp(`[{,]${name}="([^"]*)"`).exec(line)?.[1] ?? '?';
      return [label('verb'), label('scope'), label('subresource'), line.split(' ').at(-1)].join(' ');
    });
  }
}

const PODS = '/api/v1/namespaces/default/pods';

describe('request metrics', () => {
  it('count verb, scope and code as upstream does', async () => {
    const server = new Server();
    server.answer({ url: '/api/v1/pods' });
    server.answer({ url: PODS });
    server.answer({ url: `${PODS}?fieldSelector=metadata.name%3Da` });
    server.answer({ url: `${PODS}/a` }, 404);
    server.answer({ url: `${PODS}/a`, method: 'HEAD' });
    server.answer({ url: `${PODS}?watch=true` });
    server.answer({ url: `${PODS}/a/log` });
    server.answer({ url: PODS, method: 'POST' }, 201);
    server.answer({ url: `${PODS}/a`, method: 'PUT' });
    server.answer({ url: `${PODS}/a/status`, method: 'PATCH' });
    server.answer({ url: `${PODS}/a`, method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' } });
    server.answer({ url: PODS, method: 'DELETE' });
    server.answer({ url: `${PODS}/a`, method: 'BREW' });
    server.answer({ url: '/livez' });
    assert.deepEqual(await server.kinds(), [
      'LIST cluster  1',
      'LIST namespace  2',
      'GET resource  1',
      'GET resource  1',
      'WATCH namespace  1',
      'CONNECT resource log 1',
      'POST resource  1',
      'PUT resource  1',
      'PATCH resource status 1',
      'APPLY resource  1',
      'DELETE namespace  1',
      'other resource  1',
      'GET  /livez 1',
    ]);
    assert.deepEqual(await server.lines('apiserver_request_total{code="404"'), [
      'apiserver_request_total{code="404",component="apiserver",dry_run="",group="",resource="pods",' +
        'scope="resource",subresource="",verb="GET",version="v1"} 1',
    ]);
  });

  it('time how many requests execute and wait, as a part of their limits', async () => {
    const server = new Server();
    server.metrics.limitedBy({ readOnly: 4, mutating: 0 }, { readOnly: 10, mutating: 10 });
    const read = server.begin({ url: PODS });
    const waiting = new RequestContext(new FakeExchange({ url: PODS }), PODS, new URLSearchParams(), server.time);
    waiting.info = read.info;
    server.metrics.queued(waiting, true);
    server.time += 1;
    server.metrics.queued(waiting, false);
    const write = server.begin({ url: PODS, method: 'POST' });
    server.time += 1;
    server.end(read);
    server.end(write);
    server.time += 1;
    assert.deepEqual(await server.lines('apiserver_flowcontrol_read_vs_write_current_requests_sum'), [
      'apiserver_flowcontrol_read_vs_write_current_requests_sum{phase="executing",request_kind="readOnly"} 500000',
      'apiserver_flowcontrol_read_vs_write_current_requests_sum{phase="executing",request_kind="mutating"} 1e+06',
      'apiserver_flowcontrol_read_vs_write_current_requests_sum{phase="waiting",request_kind="readOnly"} 100000',
      'apiserver_flowcontrol_read_vs_write_current_requests_sum{phase="waiting",request_kind="mutating"} 0',
    ]);
  });

  it('time requests by their field validation', async () => {
    const server = new Server();
    for (const query of ['', '?fieldValidation=Strict', '?fieldValidation=', '?fieldValidation=x', '?dryRun=All']) {
      server.answer({ url: `${PODS}${query}`, method: 'POST' });
    }
    assert.deepEqual(await server.lines('field_validation_request_duration_seconds_count'), [
      'field_validation_request_duration_seconds_count{field_validation=""} 3',
      'field_validation_request_duration_seconds_count{field_validation="Strict"} 1',
      'field_validation_request_duration_seconds_count{field_validation="invalid"} 1',
    ]);
  });

  it('measure the bodies that resources have read', async () => {
    const server = new Server();
    for (const [method, path, bytes] of [
      ['POST', PODS, 50_001],
      ['PATCH', `${PODS}/a`, 10],
      ['DELETE', `${PODS}/a`, 0],
      ['DELETE', PODS, 20],
      ['PUT', `${PODS}/a`, undefined],
    ] as const) {
      const context = server.begin({ url: path, method });
      context.requestBytes = bytes;
      server.end(context);
    }
    const name = 'apiserver_request_body_size_bytes';
    assert.deepEqual(await server.lines(`${name}_sum`), [
      `${name}_sum{group="",resource="pods",verb="create"} 50001`,
      `${name}_sum{group="",resource="pods",verb="patch"} 10`,
      `${name}_sum{group="",resource="pods",verb="delete"} 0`,
      `${name}_sum{group="",resource="pods",verb="delete_collection"} 20`,
    ]);
    const [smallest, next] = await server.lines(`${name}_bucket{group="",resource="pods",verb="create"`);
    assert.match(`${smallest} ${next}`, /le="50000"} 0 .*le="150000"} 1$/);
  });

  it('count answers that were broken off', async () => {
    const server = new Server();
    server.metrics.aborted(server.begin({ url: PODS }));
    assert.deepEqual(await server.lines('apiserver_request_aborts_total{'), [
      'apiserver_request_aborts_total{group="",resource="pods",scope="namespace",subresource="",verb="LIST",version="v1"} 1',
    ]);
  });

  it('leave the time in a queue out of the SLI, and count the requests that wait', async () => {
    const server = new Server();
    const context = server.begin({ url: `${PODS}/a` });
    server.metrics.queued(context, true);
    server.time += 1000;
    server.metrics.queued(context, false);
    const flow = { flowSchema: 's', priorityLevel: 'l', initialSeats: 1, finalSeats: 0, additionalLatencyMs: 0 };
    context.flow = { ...flow, queuedMs: 1000 };
    server.time += 30;
    server.end(context, 200);
    const [sli] = await server.lines('apiserver_request_sli_duration_seconds_sum');
    const [all] = await server.lines('apiserver_request_duration_seconds_sum');
    assert.ok(Math.abs(Number(sli?.split(' ')[1]) - 0.03) < 1e-9, sli);
    assert.match(all ?? '', / 1\.03$/);
    assert.deepEqual(await server.lines('apiserver_current_inqueue_requests'), [
      'apiserver_current_inqueue_requests{request_kind="readOnly"} 1',
      'apiserver_current_inqueue_requests{request_kind="mutating"} 0',
    ]);
  });

  it('measure durations, and the sizes of read responses', async () => {
    const server = new Server();
    const context = server.begin({ url: `${PODS}/a` });
    server.time += 30;
    server.end(context, 200, 'x'.repeat(1500));
    server.answer({ url: PODS, method: 'POST' }, 201, 'created');
    const kind =
      'component="apiserver",dry_run="",group="",resource="pods",scope="resource",subresource="",verb="GET",version="v1"';
    const buckets = await server.lines(`apiserver_request_duration_seconds_bucket{${kind}`);
    assert.deepEqual(
      buckets.slice(0, 4).map((line) => line.replace(/.*le=/, '')),
      ['"0.005"} 0', '"0.025"} 0', '"0.05"} 1', '"0.1"} 1'],
    );
    assert.deepEqual(await server.lines(`apiserver_request_duration_seconds_sum{${kind}`), [
      `apiserver_request_duration_seconds_sum{${kind}} 0.03`,
    ]);
    const sizes = await server.lines('apiserver_response_sizes_sum');
    assert.deepEqual(sizes, [`apiserver_response_sizes_sum{${kind.replace('dry_run="",', '')}} 1500`]);
  });

  it('label dry runs, with a fixed set of values', async () => {
    const server = new Server();
    for (const dryRun of ['All', 'All&dryRun=All', 'none', 'x'.repeat(100), ''])
      server.answer({ url: `${PODS}?dryRun=${dryRun}`, method: 'POST' }, 201);
    const counts = await server.lines('apiserver_request_total');
    assert.deepEqual(
      counts.map((line) => line.replace(/.*dry_run="(\w*)".* /, '$1 ')),
      ['All 2', 'invalid 3'],
    );
    assert.deepEqual(await server.lines('apiserver_request_sli_duration_seconds_count'), []);
  });

  it('count only requests that have a handler, however many names a client invents', async () => {
    const server = new Server(() => undefined);
    for (let index = 0; index < 100; index++) {
      server.answer({ url: `/apis/group${index}/v1/things` }, 404);
      server.answer({ url: `/api/v1/things${index}?watch=1` }, 404);
      server.answer({ url: `/path${index}` }, 404);
    }
    assert.deepEqual(await server.lines('apiserver_request'), []);
    assert.deepEqual(await server.lines('apiserver_longrunning'), []);
  });

  it('show the requests in progress', async () => {
    const server = new Server();
    const watch = server.begin({ url: '/api/v1/pods?watch=1' });
    const requests = [PODS, PODS, `${PODS}/a`].map((url) => server.begin({ url }));
    const write = server.begin({ url: PODS, method: 'POST' });
    assert.deepEqual(
      (await server.lines('apiserver_longrunning_requests{')).map((line) => line.slice(-30)),
      ['"",verb="WATCH",version="v1"} 1'.slice(-30)],
    );
    server.time += 1000;
    assert.deepEqual(await server.lines('apiserver_current_inflight_requests{'), [
      'apiserver_current_inflight_requests{request_kind="readOnly"} 3',
      'apiserver_current_inflight_requests{request_kind="mutating"} 1',
    ]);
    for (const context of [watch, write, ...requests]) server.end(context);
    assert.match((await server.lines('apiserver_longrunning_requests{')).join(), / 0$/);
  });

  it('report deprecated APIs, and requests that timed out', async () => {
    const server = new Server(() => ({ component: 'apiserver', removedRelease: '1.99' }));
    const context = server.begin({ url: '/api/v1/endpoints' });
    server.metrics.terminated(context, 504);
    server.end(context, 504);
    assert.deepEqual(await server.lines('apiserver_requested_deprecated_apis'), [
      'apiserver_requested_deprecated_apis{group="",removed_release="1.99",resource="endpoints",subresource="",version="v1"} 1',
    ]);
    assert.match((await server.lines('apiserver_request_terminations_total')).join(), /code="504".*} 1$/);
  });
});
