import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '@binnacle/api/types/policy-v1';
import { asKind, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { StatusError } from '@binnacle/apimachinery/status';
import { allowsUnhealthyEviction, takeDisruption } from './disruption-budget.js';
import { isOver, isReady } from './pod-state.js';

const now = '2026-01-02T03:04:05Z';

function budget(status: PodDisruptionBudgetStatus | undefined, generation = 1): KubernetesObject {
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'b', generation }, status };
}

const statusOf = (object: KubernetesObject) => asKind<PodDisruptionBudget>(object).status;

function refusalOf(object: KubernetesObject): StatusError {
  try {
    takeDisruption(object, 'p', now);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('no refusal');
}

describe('disruption budget', () => {
  it('takes one disruption, and records the pod', () => {
    const object = budget({ observedGeneration: 1, disruptionsAllowed: 2, disruptedPods: { other: now } });
    takeDisruption(object, 'p', now);
    assert.deepEqual(statusOf(object), {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      disruptedPods: { other: now, p: now },
    });
  });

  it('updates the condition when the last one is taken', () => {
    const condition = { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', message: '' };
    const conditions = [{ ...condition, lastTransitionTime: '2025-01-01T00:00:00Z' }];
    const object = budget({ observedGeneration: 1, disruptionsAllowed: 1, conditions });
    takeDisruption(object, 'p', now);
    assert.deepEqual(statusOf(object)?.conditions, [
      {
        type: 'DisruptionAllowed',
        status: 'False',
        observedGeneration: 1,
        lastTransitionTime: now,
        reason: 'InsufficientPods',
        message: '',
      },
    ]);
  });

  it('refuses when none is left, without a Retry-After', () => {
    const { status } = refusalOf(
      budget({ observedGeneration: 1, disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy: 2 }),
    );
    assert.equal(status.code, 429);
    assert.equal(status.message, "Cannot evict pod as it would violate the pod's disruption budget.");
    assert.deepEqual(status.details, {
      causes: [
        { reason: 'DisruptionBudget', message: 'The disruption budget b needs 2 healthy pods and has 2 currently' },
      ],
    });
  });

  it('reports the reason that its controller gives', () => {
    const denial = (reason: string, message: string) => [
      { type: 'DisruptionAllowed', status: 'False', reason, message, lastTransitionTime: now },
    ];
    const none = 'does not allow evicting pods currently';
    for (const [conditions, currentHealthy, why] of [
      [denial('SyncFailed', 'broken'), 1, `${none} because it failed sync: broken`],
      [denial('Other', 'because'), 1, 'needs 2 healthy pods and has 1 currently'],
      [denial('Other', 'because'), 5, `${none} (Other): because`],
      [denial('Other', ''), 5, none],
      [[], 5, none],
    ] as const) {
      const status = { observedGeneration: 1, disruptionsAllowed: 0, desiredHealthy: 2, currentHealthy };
      const refused = refusalOf(budget({ ...status, conditions: [...conditions] }));
      assert.equal(refused.status.details?.causes?.[0]?.message, `The disruption budget b ${why}`);
    }
  });

  it('refuses while its status is stale', () => {
    for (const object of [budget(undefined), budget({ observedGeneration: 1, disruptionsAllowed: 5 }, 2)]) {
      const { status } = refusalOf(object);
      assert.equal(status.code, 429);
      assert.equal(status.details?.retryAfterSeconds, 10);
      assert.deepEqual(status.details.causes, [
        { reason: 'DisruptionBudget', message: 'The disruption budget b is still being processed by the server.' },
      ]);
    }
  });

  it('refuses when too many evictions are unobserved', () => {
    const disruptedPods = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`p${index}`, now]));
    assert.equal(refusalOf(budget({ observedGeneration: 1, disruptionsAllowed: 1, disruptedPods })).code, 403);
  });

  it('allows evictions of unhealthy pods by its policy', () => {
    const healthy = { currentHealthy: 2, desiredHealthy: 2 };
    assert.equal(allowsUnhealthyEviction({ status: healthy }), true);
    assert.equal(allowsUnhealthyEviction({ status: { currentHealthy: 1, desiredHealthy: 2 } }), false);
    assert.equal(allowsUnhealthyEviction({ status: { currentHealthy: 0, desiredHealthy: 0 } }), false);
    assert.equal(allowsUnhealthyEviction({ spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } }), true);
  });
});

describe('state of a pod', () => {
  const pod = (status: object, metadata = {}) => ({ apiVersion: 'v1', kind: 'Pod', metadata, status });

  it('is finished when it has ended or is being deleted', () => {
    assert.equal(isOver(pod({ phase: 'Failed' })), true);
    assert.equal(isOver(pod({ phase: 'Running' }, { deletionTimestamp: now })), true);
    assert.equal(isOver(pod({ phase: 'Running' })), false);
  });

  it('is ready by its condition', () => {
    assert.equal(isReady(pod({ conditions: [{ type: 'Ready', status: 'True' }] })), true);
    assert.equal(isReady(pod({ conditions: [{ type: 'Ready', status: 'False' }] })), false);
    assert.equal(isReady(pod({})), false);
  });
});
