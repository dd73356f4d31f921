import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOAD_METRICS, loadBetween, parseMetrics } from './index.js';

const reading = (gets: number, failures: number, fast: number, slow: number) => `
# HELP apiserver_request_total Counter
apiserver_request_total{code="200",resource="pods",verb="GET"} ${gets}
apiserver_request_total{code="503",resource="nodes",verb="PUT"} ${failures}
apiserver_request_duration_seconds_bucket{verb="GET",le="0.1"} ${fast}
apiserver_request_duration_seconds_bucket{verb="GET",le="1"} ${fast + slow}
apiserver_request_duration_seconds_bucket{verb="GET",le="+Inf"} ${fast + slow}
apiserver_request_duration_seconds_bucket{verb="WATCH",le="+Inf"} 900
apiserver_longrunning_requests{resource="pods",verb="WATCH"} 3
apiserver_longrunning_requests{resource="nodes",verb="WATCH"} 5
apiserver_longrunning_requests{resource="pods",verb="CONNECT"} 1
apiserver_current_inflight_requests{request_kind="readOnly"} 2
apiserver_current_inflight_requests{request_kind="mutating"} 1
process_resident_memory_bytes 1048576
other_metric{a="b"} 7
`;
const parsed = (...numbers: [number, number, number, number]) => parseMetrics(reading(...numbers), LOAD_METRICS);

describe('metrics', () => {
  it('are read with their labels, and only those that are wanted', () => {
    const samples = parseMetrics('a{x="1",y="q\\"}"} 2\nb 3\n# TYPE a counter\n', new Set(['a']));
    assert.deepEqual(samples, [{ name: 'a', labels: { x: '1', y: 'q\\"}' }, value: 2 }]);
  });

  it('give the load between two readings', () => {
    const load = loadBetween(parsed(100, 0, 50, 50), parsed(140, 2, 89, 51), 2);
    assert.equal(load.rate, 21);
    assert.equal(load.failures, 1);
    assert.deepEqual(load.verbs, [
      ['GET', 20],
      ['PUT', 1],
    ]);
    assert.deepEqual(load.resources, [
      ['pods', 20],
      ['nodes', 1],
    ]);
    assert.deepEqual(load.watches, [
      ['nodes', 5],
      ['pods', 3],
    ]);
    assert.equal(load.watchCount, 8);
    assert.equal(load.inflight, 3);
    assert.equal(load.memory, 1048576);
    assert.ok(load.median !== undefined && load.median > 0.05 && load.median < 0.06, String(load.median));
    assert.ok(load.p99 !== undefined && load.p99 > 0.1 && load.p99 <= 1, String(load.p99));
  });

  it('survive a restart of the server, and silence', () => {
    assert.equal(loadBetween(parsed(100, 0, 50, 50), parsed(10, 0, 5, 5), 1).rate, 10);
    const quiet = loadBetween(parsed(1, 0, 1, 0), parsed(1, 0, 1, 0), 1);
    assert.deepEqual([quiet.rate, quiet.median, quiet.verbs], [0, undefined, []]);
  });
});
