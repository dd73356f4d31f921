import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { SharedInformerFactory } from '../../cache/index.js';
import { sleep } from '@binnacle/apimachinery/clock';
import { DynamicClient } from '../../dynamic/index.js';
import { FakeObjects, VirtualClock, settle } from '../../testing/index.js';
import type { ResourceType } from '../../typed/index.js';
import { Controller, ControllerMetrics, type ReconcileContext, TerminalError } from '../index.js';

const sails: ResourceType = { group: 'ship.example', version: 'v1', kind: 'Sail', plural: 'sails', namespaced: true };

describe('controller metrics', () => {
  it('have controller-runtime names and units', async () => {
    const clock = new VirtualClock();
    const objects = new FakeObjects([sails]);
    const client = new DynamicClient(objects.transport);
    const informers = new SharedInformerFactory(client, { clock });
    const registry = new MetricRegistry();
    const outcomes: Record<string, (context: ReconcileContext) => Promise<{ requeueAfter: number } | void>> = {
      good: async ({ clock, signal }) => sleep(clock, 300, signal),
      later: async () => ({ requeueAfter: 3_600_000 }),
      bad: () => Promise.reject(new Error('no wind')),
      hopeless: () => Promise.reject(new TerminalError('no sail')),
      slow: ({ clock, signal }) => sleep(clock, 60_000, signal),
      stuck: () => new Promise(() => undefined),
    };
    const controller = new Controller({
      for: sails,
      concurrency: 2,
      timeout: 2000,
      reconcile: async ({ name }, context) => outcomes[name]?.(context),
    });
    const environment = { client, informers, clock, report: () => undefined };
    const runnable = controller.bind({ ...environment, metrics: new ControllerMetrics(registry) });
    const stop = new AbortController();
    informers.start(stop.signal);
    // Some of its reconciles never end, so `run` does not settle.
    void runnable.run(stop.signal);
    const set = async (name: string, milliseconds: number) => {
      objects.set(sails, { apiVersion: 'ship.example/v1', kind: 'Sail', metadata: { name } });
      await clock.advance(milliseconds);
    };
    await set('good', 300);
    await set('later', 0);
    await set('hopeless', 0);
    await set('slow', 2000);
    objects.delete(sails, { name: 'slow' });
    outcomes['slow'] = async () => {};
    await clock.advance(5);
    await set('bad', 0);
    outcomes['bad'] = async () => {};
    await clock.advance(5);
    await set('stuck', 400);
    outcomes['other'] = () => new Promise(() => undefined);
    await set('other', 100);
    await set('waiting', 100);

    const lines = formatText(await registry.gather()).split('\n');
    const value = (series: string) => lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1);
    const expected = {
      'controller_runtime_reconcile_total{controller="sail",result="success"}': '3',
      'controller_runtime_reconcile_total{controller="sail",result="requeue_after"}': '1',
      'controller_runtime_reconcile_total{controller="sail",result="requeue"}': '0',
      'controller_runtime_reconcile_total{controller="sail",result="error"}': '3',
      'controller_runtime_reconcile_errors_total{controller="sail"}': '3',
      'controller_runtime_terminal_reconcile_errors_total{controller="sail"}': '1',
      'controller_runtime_reconcile_timeouts_total{controller="sail"}': '1',
      'controller_runtime_reconcile_time_seconds_count{controller="sail"}': '7',
      'controller_runtime_reconcile_time_seconds_sum{controller="sail"}': '2.3',
      'controller_runtime_reconcile_time_seconds_bucket{controller="sail",le="0.25"}': '5',
      'controller_runtime_max_concurrent_reconciles{controller="sail"}': '2',
      'controller_runtime_active_workers{controller="sail"}': '2',
      'workqueue_depth{controller="sail",name="sail",priority=""}': '1',
      'workqueue_adds_total{controller="sail",name="sail"}': '10',
      'workqueue_retries_total{controller="sail",name="sail"}': '3',
      'workqueue_work_duration_seconds_count{controller="sail",name="sail"}': '7',
      'workqueue_queue_duration_seconds_count{controller="sail",name="sail"}': '9',
      'workqueue_unfinished_work_seconds{controller="sail",name="sail"}': '0.8',
      'workqueue_longest_running_processor_seconds{controller="sail",name="sail"}': '0.6',
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((series) => [series, value(series)])), expected);

    stop.abort();
    await settle();
  });
});
