import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planStatefulSet } from './plan.js';
import { seen, statefulSet } from './statefulset.testing.js';
import { isWorthWriting } from './status.js';

const names = { updateRevision: 'db-new', collisionCount: 0, observedGeneration: 2 };

describe('the status of a set', () => {
  for (const [what, spec, pods, expected] of [
    ['has no pods', {}, '', { replicas: 0, availableReplicas: 0, currentRevision: 'db-old' }],
    [
      'counts pods that are being deleted, but not for a revision',
      {},
      '0o 1od 2p',
      {
        replicas: 3,
        readyReplicas: 2,
        availableReplicas: 2,
        currentReplicas: 1,
        updatedReplicas: 1,
        currentRevision: 'db-old',
      },
    ],
    [
      'counts ready pods before they are available',
      { minReadySeconds: 10 },
      '0 1y 2p',
      { replicas: 3, readyReplicas: 2, availableReplicas: 1, updatedReplicas: 3, currentRevision: 'db-old' },
    ],
    [
      'ends a rolling update',
      {},
      '0 1 2',
      {
        replicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
        currentReplicas: 3,
        updatedReplicas: 3,
        currentRevision: 'db-new',
      },
    ],
    [
      'ends no update that pods above the range delay',
      {},
      '0 1 2 3',
      { replicas: 4, readyReplicas: 4, availableReplicas: 4, updatedReplicas: 4, currentRevision: 'db-old' },
    ],
    [
      'keeps the current revision with OnDelete',
      { updateStrategy: { type: 'OnDelete' } },
      '0 1 2',
      { replicas: 3, readyReplicas: 3, availableReplicas: 3, updatedReplicas: 3, currentRevision: 'db-old' },
    ],
  ] as const) {
    it(what, () => {
      assert.deepEqual(planStatefulSet(seen(statefulSet(spec), pods)).status, { ...names, ...expected });
    });
  }

  it('counts a pod less once it is replaced', () => {
    const { status, rollout } = planStatefulSet(seen(statefulSet(), '0o 1o 2o'));
    assert.deepEqual([status.currentReplicas, rollout?.status.currentReplicas], [3, 2]);
  });

  it('is written only if it says something new', () => {
    const { status } = planStatefulSet(seen(statefulSet(), '0 1 2'));
    assert.equal(isWorthWriting(statefulSet(), status), true);
    assert.equal(isWorthWriting(statefulSet({}, {}, status), status), false);
    assert.equal(isWorthWriting(statefulSet({}, {}, { ...status, observedGeneration: 1 }), status), true);
    assert.equal(isWorthWriting(statefulSet({}, {}, { ...status, conditions: [] }), status), false);
  });
});
