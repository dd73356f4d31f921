import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import type { ObjectMeta } from '@binnacle/client/typed';
import { availabilityCheck, planReplicas, replicasStatus, type SeenReplicas } from './plan.js';
import type { Replicas } from './replicas.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');

function pod(uid: string, labels: Record<string, string> = {}, readySince?: string): Pod {
  const conditions =
    readySince === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: readySince }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { uid, labels }, status: { phase: 'Running', conditions } };
}

const pods = (count: number): Pod[] => Array.from({ length: count }, (_, index) => pod(`uid-${index}`));

function seen(
  replicas: number,
  active: readonly Pod[],
  given: Partial<SeenReplicas> = {},
  metadata: ObjectMeta = {},
): SeenReplicas {
  const set: Replicas = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { generation: 3, ...metadata },
    spec: { replicas, minReadySeconds: 10, template: { metadata: { labels: { app: 'web' } } } },
  };
  return { set, active, terminating: 0, related: () => [], now: NOW, ...given };
}

describe('the plan of a set of replicas', () => {
  for (const [replicas, present, create, remove] of [
    [0, 0, 0, 0],
    [3, 0, 3, 0],
    [3, 2, 1, 0],
    [3, 3, 0, 0],
    [3, 5, 0, 2],
    [0, 2, 0, 2],
    [2000, 0, 500, 0],
    [0, 600, 0, 500],
  ] as const) {
    it(`${present} of ${replicas}: ${create} more, ${remove} less`, () => {
      const plan = planReplicas(seen(replicas, pods(present)));
      assert.deepEqual([plan.create, plan.remove.length], [create, remove]);
    });
  }

  it('leaves the pods of a deleted set alone', () => {
    assert.deepEqual(planReplicas(seen(3, pods(1), {}, { deletionTimestamp: 'soon' })), { create: 0, remove: [] });
  });

  it('looks at related pods only if pods must go', () => {
    const related = () => assert.fail('not needed');
    planReplicas(seen(3, pods(3), { related }));
    planReplicas(seen(3, pods(1), { related }));
  });
});

describe('the status of a set of replicas', () => {
  it('counts its pods', () => {
    const active = [
      pod('a'),
      pod('b', { app: 'web' }, '2026-01-01T11:59:55Z'),
      pod('c', { app: 'web', more: 'yes' }, '2026-01-01T11:59:50Z'),
    ];
    assert.deepEqual(replicasStatus(seen(3, active, { terminating: 2 }), undefined), {
      replicas: 3,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 2,
      observedGeneration: 3,
    });
    assert.equal(availabilityCheck(seen(3, active)), 5000);
  });

  it('omits counts of 0, and those that the kind does not have', () => {
    assert.deepEqual(replicasStatus(seen(0, []), undefined), {
      replicas: 0,
      terminatingReplicas: 0,
      observedGeneration: 3,
    });
    const { terminatingReplicas } = replicasStatus(seen(0, [], { terminating: undefined }), undefined);
    assert.equal(terminatingReplicas, undefined);
  });

  it('has the first failure until a success', () => {
    const time = '2026-01-01T12:00:00Z';
    const failed = replicasStatus(seen(3, []), 'quota').conditions;
    const condition = { type: 'ReplicaFailure', status: 'True', message: 'quota', lastTransitionTime: time };
    assert.deepEqual(failed, [{ ...condition, reason: 'FailedCreate' }]);
    assert.equal(replicasStatus(seen(0, pods(1)), 'no').conditions?.[0]?.reason, 'FailedDelete');
    const before = seen(3, []);
    const again = { ...before, set: { ...before.set, status: { replicas: 0, conditions: failed } } };
    assert.deepEqual(replicasStatus(again, 'another').conditions, failed);
    assert.equal(replicasStatus(again, undefined).conditions, undefined);
  });
});
