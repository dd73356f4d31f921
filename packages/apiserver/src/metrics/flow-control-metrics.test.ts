import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { formatText, MetricRegistry } from '@binnacle/apimachinery/metrics';
import { FlowControl } from '../flowcontrol/index.js';
import { parseRequestInfo } from '../request/index.js';
import { flowObservers, readFlowControl } from './flow-control-metrics.js';

it('flow control has the metrics of upstream', async () => {
  const registry = new MetricRegistry();
  const clock = new VirtualClock();
  const control = new FlowControl({
    clock,
    seats: 10,
    // Only the mandatory objects are in force.
    configuration: { changes: 0, schemas: () => [], levels: () => [] },
    observers: flowObservers(registry, clock, 10),
  });
  readFlowControl(registry, control);
  const user = { name: 'u', uid: '', groups: ['system:authenticated'], extra: {} };
  const classification = control.classify(user, parseRequestInfo('GET', '/api/v1/pods', new URLSearchParams()));
  const work = { seats: 4, finalSeats: 0, finalMs: 0 };
  control.arrive(classification, 'u', work);
  control.arrive(classification, 'u', work);
  control.arrive(classification, 'u', work);
  const { observer } = classification.flow;
  observer.dispatched();
  observer.executed(0.03, true);
  observer.waited(0, true);
  observer.estimated(4);
  observer.watches(12);
  observer.queued(1);
  observer.noRoom();
  await clock.advance(10_000);
  const { queues } = classification.level;
  assert.doesNotMatch(formatText(await registry.gather()), /_(dispatch_r|latest_s|s_bounds)\{/);
  queues.dispatchR = 3;
  queues.latestS = 2;
  const nextStarts = { starts: { min: 4, max: 6 }, discounted: { min: 3, max: 5 } };
  Object.defineProperty(queues, 'nextStarts', { value: nextStarts });

  const text = formatText(await registry.gather());
  const flow = 'flow_schema="catch-all",priority_level="catch-all"';
  for (const line of [
    `rejected_requests_total{${flow},reason="concurrency-limit"} 1`,
    `dispatched_requests_total{${flow}} 1`,
    `request_dispatch_no_accommodation_total{${flow}} 1`,
    `current_inqueue_requests{${flow}} 0`,
    `current_inqueue_seats{${flow}} 0`,
    `current_executing_requests{${flow}} 2`,
    `current_executing_seats{${flow}} 8`,
    `request_wait_duration_seconds_count{execute="true",${flow}} 1`,
    `request_execution_seconds_bucket{${flow},type="watch",le="0.05"} 1`,
    `request_queue_length_after_enqueue_count{${flow}} 1`,
    `watch_count_samples_bucket{${flow},le="100"} 1`,
    `work_estimated_seats_bucket{${flow},le="4"} 1`,
    'nominal_limit_seats{priority_level="catch-all"} 10',
    'lower_limit_seats{priority_level="catch-all"} 10',
    'upper_limit_seats{priority_level="catch-all"} 20',
    'upper_limit_seats{priority_level="exempt"} 10',
    'current_limit_seats{priority_level="catch-all"} 10',
    'current_r{priority_level="catch-all"} 0',
    'dispatch_r{priority_level="catch-all"} 3',
    'latest_s{priority_level="catch-all"} 2',
    'next_s_bounds{bound="min",priority_level="catch-all"} 4',
    'next_s_bounds{bound="max",priority_level="catch-all"} 6',
    'next_discounted_s_bounds{bound="min",priority_level="catch-all"} 3',
    'next_discounted_s_bounds{bound="max",priority_level="catch-all"} 5',
    'demand_seats_high_watermark{priority_level="catch-all"} 8',
    'demand_seats_average{priority_level="catch-all"} 8',
    'demand_seats_stdev{priority_level="catch-all"} 0',
    'demand_seats_smoothed{priority_level="catch-all"} 8',
    'target_seats{priority_level="catch-all"} 10',
    // Ten seconds with two of the requests, which hold eight of ten seats; then their limit is a fraction of what they hold.
    'demand_seats_bucket{priority_level="catch-all",le="0.6"} 0',
    'demand_seats_bucket{priority_level="catch-all",le="0.8"} 1e+10',
    'demand_seats_sum{priority_level="catch-all"} 8e+09',
    'priority_level_seat_utilization_bucket{phase="executing",priority_level="catch-all",le="0.7"} 0',
    'priority_level_seat_utilization_bucket{phase="executing",priority_level="catch-all",le="0.8"} 1e+10',
    'priority_level_request_utilization_sum{phase="executing",priority_level="catch-all"} 2e+09',
    'priority_level_request_utilization_sum{phase="waiting",priority_level="catch-all"} 0',
    'priority_level_request_utilization_count{phase="waiting",priority_level="catch-all"} 1e+10',
    'seat_fair_frac 0',
  ]) {
    assert.ok(text.includes(`apiserver_flowcontrol_${line}\n`), line);
  }
});
