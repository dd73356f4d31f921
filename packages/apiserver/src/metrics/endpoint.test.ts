import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counterFacts, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { type PiecewiseBody, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { metricsEndpoint } from './endpoint.js';
import { healthMetrics } from './health-metrics.js';

const health = new MetricRegistry();
const endpoint = metricsEndpoint({
  registry: new MetricRegistry(),
  health,
  version: {
    major: '1',
    minor: '36',
    emulationMajor: '1',
    emulationMinor: '36',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '35',
    gitVersion: 'v1.36.2+x',
    platform: 'linux/amd64',
    count: 1,
  },
  features: [
    ['Young', 'ALPHA', false],
    ['Old', '', true],
  ],
});

async function get(path: string, method = 'GET'): Promise<FakeExchange> {
  const exchange = new FakeExchange({ url: path, method });
  await endpoint.handlerFor(path)?.(new RequestContext(exchange, path, new URLSearchParams(), 0));
  return exchange;
}

describe('the metrics endpoint', () => {
  it('reports the server and the process', async () => {
    const { body, responseHeaders, status } = await get('/metrics');
    assert.equal(status, 200);
    assert.match(String(responseHeaders['content-type']), /^text\/plain; version=0\.0\.4; charset=utf-8/);
    assert.match(
      body,
      /^kubernetes_build_info\{build_date="",compiler="",git_commit="",git_tree_state="",git_version="v1\.36\.2\+x",go_version="",major="1",minor="36",platform="linux\/amd64"\} 1$/m,
    );
    for (const line of [
      'version_info{binary="1.36.2",component="kube",emulation="1.36",min_compat="1.35"} 1',
      'kubernetes_feature_enabled{name="Young",stage="ALPHA"} 0',
      'kubernetes_feature_enabled{name="Old",stage=""} 1',
    ]) {
      assert.ok(body.includes(`\n${line}\n`), line);
    }
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_heap_size_used_bytes'])
      assert.match(body, new RegExp(`^${name} [\\d.]+`, 'm'));
    if (process.platform === 'linux') {
      for (const name of [
        'process_virtual_memory_max_bytes',
        'process_max_fds',
        'process_network_receive_bytes_total',
        'process_network_transmit_bytes_total',
      ])
        assert.match(body, new RegExp(`^${name} [\\d.e+]+$`, 'm'));
    }
    assert.match(body, /^nodejs_eventloop_lag_seconds\{statistic="p99"\} \d/m);
    assert.equal((await get('/metrics')).body.match(/^# TYPE process_cpu_seconds_total/gm)?.length, 1, 'once more');
  });

  it('makes a long text while the client takes it', async () => {
    const registry = new MetricRegistry();
    const family = registry.numbers(counterFacts('many_total', 'ALPHA', ['of'], 'Many.'));
    for (let index = 0; index < 20_000; index++) family.with(`${index}`).value = index;
    const long = metricsEndpoint({ registry, health, version: {}, features: [] });
    const exchange = new FakeExchange({ url: '/metrics' });
    let whole: PiecewiseBody | undefined;
    exchange.respondPieces = (_status, _headers, body) => {
      whole = body;
      return Promise.resolve();
    };
    await long.handlerFor('/metrics')?.(new RequestContext(exchange, '/metrics', new URLSearchParams(), 0));
    assert.ok(whole !== undefined);
    assert.equal(whole.length, undefined);
    const pieces = Array.from(whole.pieces(), (piece) => Buffer.from(piece));
    assert.ok(pieces.every((piece) => piece.length <= 64 * 1024));
    assert.match(Buffer.concat(pieces).toString(), /^many_total\{of="19999"\} 19999$/m);
  });

  it('sends the text of all processes in pieces of whole lines', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `many_total{of="${index}\u{1F600}"} ${index}\n`).join('');
    const all = (): Promise<string> => Promise.resolve(text);
    const long = metricsEndpoint({ registry: new MetricRegistry(), health, version: {}, features: [], all });
    const exchange = new FakeExchange({ url: '/metrics' });
    let pieces: Buffer[] = [];
    exchange.respondPieces = (_status, _headers, body) => {
      pieces = Array.from(body.pieces(), (piece) => Buffer.from(piece));
      return Promise.resolve();
    };
    await long.handlerFor('/metrics')?.(new RequestContext(exchange, '/metrics', new URLSearchParams(), 0));
    assert.equal(Buffer.concat(pieces).toString(), text);
    assert.ok(pieces.length > 1 && pieces.every((piece) => piece.length <= 64 * 1024));
  });

  it('reports health checks at a separate path', async () => {
    const checked = healthMetrics(health);
    checked('etcd', 'readyz', true);
    checked('etcd', 'readyz', false);
    const { body } = await get('/metrics/slis');
    assert.deepEqual(
      body.split('\n').filter((line) => /^[a-z]/.test(line)),
      [
        'kubernetes_healthcheck{name="etcd",type="readyz"} 0',
        'kubernetes_healthchecks_total{name="etcd",status="success",type="readyz"} 1',
        'kubernetes_healthchecks_total{name="etcd",status="error",type="readyz"} 1',
      ],
    );
  });

  it('is read-only', async () => {
    assert.deepEqual(endpoint.paths, ['/metrics', '/metrics/slis']);
    assert.equal(endpoint.handlerFor('/metrics/'), undefined);
    await assert.rejects(get('/metrics', 'DELETE'), { code: 405 });
  });
});
