import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { selectorOfBudget } from './budget-selector.js';
import { expectedPods, ExpectedPodsError } from './expected-pods.js';
import { failedStatus, planBudget } from './plan.js';
import { staleAfter, withoutDisruption } from './stale-disruption.js';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const A_MINUTE_AGO = '2026-01-01T11:59:00Z';
const LONG_AGO = '2026-01-01T11:00:00Z';

interface Traits {
  readonly isReady?: boolean;
  readonly isDeleted?: boolean;
  /** The name of its ReplicaSet. */
  readonly of?: string;
}

function pod(name: string, { isReady = true, isDeleted = false, of }: Traits = {}): Pod {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: of ?? '', uid: `uid of ${of}`, controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(of === undefined ? {} : { ownerReferences: [owner] }),
      ...(isDeleted ? { deletionTimestamp: A_MINUTE_AGO } : {}),
    },
    status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  };
}

function budget(
  spec: NonNullable<PodDisruptionBudget['spec']>,
  status: PodDisruptionBudget['status'] = {},
  generation = 1,
): PodDisruptionBudget {
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b', generation }, spec, status };
}

describe('expectedPods', () => {
  const three = [pod('a', { of: 'web' }), pod('b', { of: 'web' }), pod('c', { of: 'db' })];
  for (const [what, spec, pods, expected, desired, unmanaged] of [
    ['a number counts the pods', { minAvailable: 2 }, [pod('a'), pod('b')], 2, 2, false],
    ['a number above the pods stays', { minAvailable: 5 }, [pod('a')], 1, 5, false],
    ['a share of all scales, each once', { minAvailable: '50%' }, three, 14, 7, false],
    ['a share is rounded up', { minAvailable: '51%' }, three, 14, 8, false],
    ['the rest of all scales', { maxUnavailable: 4 }, three, 14, 10, false],
    ['the rest, rounded up', { maxUnavailable: '34%' }, three, 14, 9, false],
    ['all may be unavailable', { maxUnavailable: 99 }, three, 14, 0, false],
    ['pods without a controller count as none', { maxUnavailable: 1 }, [pod('a')], 0, 0, true],
    ['neither field', {}, three, 0, 0, false],
  ] as const) {
    it(what, async () => {
      const find = async ({ metadata }: Pod) => {
        const { name = '', uid = '' } = metadata.ownerReferences?.[0] ?? {};
        return { uid, replicas: name === 'web' ? 10 : 4 };
      };
      assert.deepEqual(await expectedPods(budget(spec), pods, find), {
        expected,
        desiredHealthy: desired,
        hasUnmanaged: unmanaged,
      });
    });
  }

  it('is unknown if a controller has no scale', async () => {
    const find = async () => {
      throw new ExpectedPodsError('found no controllers for pod "a"');
    };
    await assert.rejects(expectedPods(budget({ maxUnavailable: 1 }), three, find), ExpectedPodsError);
  });
});

describe('planBudget', () => {
  const plan = (pods: readonly Pod[], desiredHealthy: number, status: PodDisruptionBudget['status'] = {}) => {
    const count = { expected: pods.length, desiredHealthy, hasUnmanaged: false };
    return planBudget({ budget: budget({}, status), pods, count, now: NOON });
  };
  for (const [what, pods, desired, healthy, allowed, reason] of [
    ['one may go', [pod('a'), pod('b'), pod('c')], 2, 3, 1, 'SufficientPods'],
    ['none may go', [pod('a'), pod('b')], 2, 2, 0, 'InsufficientPods'],
    ['too few are healthy', [pod('a'), pod('b', { isReady: false })], 2, 1, 0, 'InsufficientPods'],
    ['a deleted pod is not healthy', [pod('a'), pod('b', { isDeleted: true })], 1, 1, 0, 'InsufficientPods'],
    ['there are no pods', [], 0, 0, 0, 'InsufficientPods'],
  ] as const) {
    it(what, () => {
      const { currentHealthy, disruptionsAllowed, conditions = [] } = plan(pods, desired).status;
      assert.deepEqual([currentHealthy, disruptionsAllowed, conditions[0]?.reason], [healthy, allowed, reason]);
    });
  }

  it('does not count an evicted pod, until it is late', () => {
    const disruptedPods = { a: A_MINUTE_AGO, b: LONG_AGO, gone: A_MINUTE_AGO, leaving: A_MINUTE_AGO };
    const pods = [pod('a'), pod('b'), pod('c'), pod('leaving', { isDeleted: true })];
    const { status, notDeleted, requeueAfter } = plan(pods, 1, { disruptedPods });
    assert.deepEqual(status.disruptedPods, { a: A_MINUTE_AGO });
    assert.equal(status.currentHealthy, 2);
    assert.deepEqual(
      notDeleted.map(({ metadata }) => metadata.name),
      ['b'],
    );
    assert.equal(requeueAfter, 60_001);
  });

  it('survives odd names of evicted pods', () => {
    const disruptedPods = JSON.parse(`{ "__proto__": "${A_MINUTE_AGO}" }`) as Record<string, string>;
    const { status } = plan([pod('__proto__'), pod('toString')], 0, { disruptedPods });
    assert.deepEqual(Object.entries(status.disruptedPods ?? {}), [['__proto__', A_MINUTE_AGO]]);
    assert.equal(status.currentHealthy, 1);
  });

  it('keeps the transition time while the condition stays', () => {
    const conditions = [
      { type: 'Other', status: 'True', reason: 'R', message: '', lastTransitionTime: LONG_AGO },
      { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'm', lastTransitionTime: LONG_AGO },
    ];
    const { status } = plan([], 0, { conditions });
    const [other, allowed] = status.conditions ?? [];
    assert.equal(other, conditions[0]);
    assert.deepEqual(
      [allowed?.reason, allowed?.message, allowed?.lastTransitionTime],
      ['InsufficientPods', '', LONG_AGO],
    );
    const { status: better } = plan([pod('a')], 0, { conditions });
    assert.equal(better.conditions?.[1]?.lastTransitionTime, '2026-01-01T12:00:00Z');
  });

  it('allows nothing when it fails', () => {
    const status = {
      disruptionsAllowed: 3,
      currentHealthy: 4,
      desiredHealthy: 1,
      expectedPods: 4,
      observedGeneration: 7,
    };
    const failed = failedStatus(budget({}, status, 8), 'no scale', NOON);
    assert.deepEqual({ ...failed, conditions: undefined }, { ...status, disruptionsAllowed: 0, conditions: undefined });
    const [{ reason, message, observedGeneration } = { reason: '', message: '' }] = failed.conditions ?? [];
    assert.deepEqual([reason, message, observedGeneration], ['SyncFailed', 'no scale', 7]);
  });
});

describe('the selector of a budget', () => {
  for (const [what, spec, expected] of [
    ['missing', {}, false],
    ['empty', { selector: {} }, true],
    ['of these labels', { selector: { matchLabels: { app: 'web' } } }, true],
    ['of others', { selector: { matchLabels: { app: 'db' } } }, false],
    ['invalid', { selector: { matchExpressions: [{ key: 'app', operator: 'Like' }] } }, false],
  ] as const) {
    it(`${what}: ${expected}`, () => assert.equal(selectorOfBudget(budget(spec)).matches({ app: 'web' }), expected));
  }
});

describe('a disruption that did not happen', () => {
  const disrupted = (traits: { reason?: string; status?: string; phase?: string; isDeleted?: boolean }): Pod => {
    const { reason = 'EvictionByEvictionAPI', status = 'True', phase = 'Running', isDeleted = false } = traits;
    const condition = { type: 'DisruptionTarget', status, reason, message: 'm', lastTransitionTime: A_MINUTE_AGO };
    const before = pod('a', { isDeleted });
    const conditions = [...(before.status?.conditions ?? []), condition];
    return { ...before, status: { conditions, phase } as NonNullable<Pod['status']> };
  };
  for (const [what, given, expected] of [
    ['a pod without the condition', pod('a'), undefined],
    ['a live pod', disrupted({}), 60_000],
    ['a condition that is False', disrupted({ status: 'False' }), undefined],
    ['a condition of the kubelet', disrupted({ reason: 'TerminationByKubelet' }), undefined],
    ['a pod that ended', disrupted({ phase: 'Failed' }), undefined],
    ['a deleted pod', disrupted({ isDeleted: true }), undefined],
  ] as const) {
    it(`${what}: ${expected}`, () => assert.equal(staleAfter(given, NOON), expected));
  }

  it('is replaced by its end', () => {
    const { conditions = [] } = withoutDisruption(disrupted({}), NOON).status ?? {};
    assert.deepEqual(conditions[1], {
      type: 'DisruptionTarget',
      status: 'False',
      lastTransitionTime: '2026-01-01T12:00:00Z',
    });
  });
});
