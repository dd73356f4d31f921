import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { DiscoveryClient } from '@binnacle/client/discovery';
import { EventBroadcaster } from '@binnacle/client/events';
import type { HorizontalPodAutoscaler } from '@binnacle/client/kinds/autoscaling/v2';
import { RecordedEvents, ScriptedTransport } from '@binnacle/client/testing';
import { decideSize } from './decide-size.js';
import { MetricsApi } from './metrics-api.js';
import { ScaleHistory } from './scale-history.js';
import { settingsOf } from './settings.js';
import { StatusDraft } from './status-draft.js';

const NOON = Date.parse('2026-01-01T12:00:00Z');

interface Target {
  /** Undefined: the scale has none. */
  readonly replicas?: number;
  readonly selector?: string;
  readonly autoscalers?: readonly string[];
  readonly spec?: Partial<HorizontalPodAutoscaler['spec']>;
  /** The value of an external metric. */
  readonly value?: string;
}

/** The next size of a target of 2 to 10 replicas, which an external metric asks for one replica for each 10. */
async function decide({ replicas, selector = 'app=web', autoscalers = ['shop/web'], spec, value = '20' }: Target) {
  const transport = new ScriptedTransport(() => ({ object: { items: [{ value }] } }));
  const api = new MetricsApi(transport, new DiscoveryClient(transport));
  const clock = new VirtualClock(NOON);
  const events = new RecordedEvents();
  const recorder = new EventBroadcaster([events], { clock, random: seededRandom(1) }).recorder({ component: 'hpa' });
  const target = { type: 'Value', value: '10' };
  const disabled = {
    type: 'ScaledToZero',
    status: 'True',
    reason: 'R',
    message: '',
    lastTransitionTime: '2026-01-01T11:00:00Z',
  };
  const hpa: HorizontalPodAutoscaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { namespace: 'shop', name: 'web' },
    spec: {
      scaleTargetRef: { kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [{ type: 'External', external: { metric: { name: 'hits' }, target } }],
      ...spec,
    },
    status: { desiredReplicas: 0, conditions: [disabled] },
  };
  const pods = [1, 2, 3].map((each) => ({
    apiVersion: 'v1' as const,
    kind: 'Pod' as const,
    metadata: { name: `web-${each}` },
    status: { phase: 'Running' as const, conditions: [{ type: 'Ready', status: 'True' }] },
  }));
  const history = new ScaleHistory('uid');
  const status = new StatusDraft(hpa, NOON);
  const decided = await decideSize(
    {
      hpa,
      scale: {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { namespace: 'shop', name: 'web' },
        ...(replicas === undefined ? {} : { spec: { replicas }, status: { replicas, selector } }),
      },
      status,
      history,
      selected: async () => ({ pods, autoscalers }),
      settings: settingsOf({}),
      now: NOON,
    },
    { api, recorder, signal: new AbortController().signal },
  );
  const conditions = status.unchanged().conditions ?? [];
  return {
    decided,
    requests: transport.requests.length,
    conditions: conditions.map(({ type, status: value, reason, message }) => `${type}=${value} ${reason}: ${message}`),
    events: events.events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
  };
}

describe('a target outside of its bounds', () => {
  for (const [what, replicas, spec, desired, reason] of [
    ['too large', 12, {}, 10, 'Current number of replicas above Spec.MaxReplicas'],
    ['too small', 1, {}, 2, 'Current number of replicas below Spec.MinReplicas'],
    ['too large, without metrics', 12, { metrics: [] }, 10, 'Current number of replicas above Spec.MaxReplicas'],
  ] as const) {
    it(`gets its bound, and no metric is asked: ${what}`, async () => {
      const { decided, requests, events } = await decide({ replicas, spec });
      assert.deepEqual([decided, requests, events], [{ desired, reason, metrics: undefined }, 0, []]);
    });
  }

  for (const replicas of [0, undefined]) {
    it(`stays without replicas (${replicas ?? 'a scale without a spec'}), and scaling is disabled`, async () => {
      const { decided, requests, conditions } = await decide(replicas === undefined ? {} : { replicas });
      assert.deepEqual([decided, requests], [{ desired: undefined, reason: '', metrics: undefined }, 0]);
      const message = 'scaling is disabled since the replica count of the target is zero';
      assert.deepEqual(conditions, [`ScalingActive=False ScalingDisabled: ${message}`]);
    });
  }
});

describe('a target within its bounds', () => {
  const tolerant = { scaleUp: { tolerance: '600m' }, scaleDown: { tolerance: '100m', stabilizationWindowSeconds: 0 } };
  for (const [what, replicas, value, spec, desired, reason] of [
    ['asks for more', 3, '15', {}, 5, 'external metric hits(nil) above target'],
    ['asks for less', 3, '5', {}, 2, 'All metrics below target'],
    ['is content', 3, '10.5', {}, undefined, ''],
    ['tolerates more than others', 3, '15', { behavior: tolerant }, undefined, ''],
  ] as const) {
    it(`${what}: ${desired ?? 'stays'}`, async () => {
      const { decided, conditions } = await decide({ replicas, value, spec });
      assert.deepEqual('desired' in decided && [decided.desired, decided.reason], [desired, reason]);
      assert.ok(conditions.some((each) => each.startsWith('ScalingActive=True ValidMetricFound')));
      assert.ok(conditions.some((each) => each.startsWith('ScalingLimited=False DesiredWithinRange')));
    });
  }
});

describe('a target whose pods are unknown', () => {
  const missing = "the HPA target's scale is missing a selector";
  const ambiguous = 'pods by selector app=web are controlled by multiple HPAs: [shop/a shop/b]';
  const unparsed = "couldn't convert selector into a corresponding internal selector object: ";
  for (const [what, target, reason, event, failure, message] of [
    ['no selector', { selector: '' }, 'InvalidSelector', 'SelectorRequired', 'selector is required', missing],
    ['a wrong selector', { selector: 'a=b=c' }, 'InvalidSelector', 'InvalidSelector', unparsed, unparsed],
    [
      'pods of two autoscalers',
      { autoscalers: ['shop/a', 'shop/b'] },
      'AmbiguousSelector',
      'AmbiguousSelector',
      ambiguous,
      ambiguous,
    ],
  ] as const) {
    it(`keeps its size, with a warning: ${what}`, async () => {
      const { decided, requests, conditions, events } = await decide({ replicas: 3, ...target });
      assert.ok('failure' in decided && decided.failure.startsWith(failure), JSON.stringify(decided));
      assert.deepEqual([decided.metrics, requests, events], [undefined, 0, [`Warning ${event}: ${decided.failure}`]]);
      const active = conditions.find((each) => each.startsWith('ScalingActive')) ?? '';
      assert.ok(active.startsWith(`ScalingActive=False ${reason}: ${message}`), active);
    });
  }

  it('keeps its size without metrics', async () => {
    const { decided } = await decide({ replicas: 3, spec: { metrics: [] } });
    assert.deepEqual(decided, { failure: 'no metrics', metrics: [] });
  });
});
