import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deployment, NOON, NOW, replicaSet, type SetTraits, type Traits } from './deployment.testing.js';
import { type DeploymentPlan, planDeployment } from './plan.js';

function plan(traits: Traits, sets: readonly SetTraits[], hasOtherPods = false): DeploymentPlan {
  const seen = { deployment: deployment(traits), sets: sets.map(replicaSet), now: NOW };
  return planDeployment({ ...seen, hasOtherPods: () => hasOtherPods });
}

/** `web-v1=3`, in order of writes. */
function sizes({ create, update }: DeploymentPlan): string[] {
  return [...(create === undefined ? [] : [create]), ...update].map(
    ({ set }) => `${set.metadata.name?.replace(/-[^v].*/, '-new') ?? ''}=${set.spec?.replicas ?? ''}`,
  );
}

const COMPLETE = { updatedReplicas: 10, replicas: 10, availableReplicas: 10, observedGeneration: 2 };
const v1 = (replicas: number, available = replicas): SetTraits => ({ image: 'v1', revision: 1, replicas, available });
const v2 = (replicas: number, available = replicas): SetTraits => ({ image: 'v2', revision: 2, replicas, available });

describe('a step of a Deployment', () => {
  for (const [what, traits, sets, expected] of [
    ['creates its first set in full', {}, [], ['web-new=10']],
    ['creates the next set as the surge permits', {}, [v1(10)], ['web-new=3', 'web-v1=8']],
    ['creates a set without pods if there is no room', { surge: 0 }, [v1(10)], ['web-new=0', 'web-v1=8']],
    ['grows the new set', {}, [v1(8), v2(3)], ['web-v2=5']],
    ['shrinks old sets once the new one cannot grow', {}, [v1(10), v2(3, 0)], ['web-v1=8']],
    ['shrinks as far as the new pods are available', {}, [v1(8), v2(5)], ['web-v1=3']],
    ['shrinks nothing if too few are available', {}, [v1(8), v2(5, 0)], []],
    [
      'shrinks unavailable pods first',
      {},
      [v1(4, 1), { ...v1(6), image: 'v0', revision: 0 }, v2(3)],
      ['web-v1=1', 'web-v0=4'],
    ],
    ['waits for a set that counts more pods than it wants', {}, [v1(5, 11), v2(3, 0)], ['web-v2=8']],
    [
      'shrinks nothing while an old set counts pods that go',
      { replicas: 5, size: 5 },
      [
        { ...v1(5, 11), size: [5, 3] },
        { ...v2(3, 0), size: [5, 3] },
      ],
      [],
    ],
    ['shrinks a new set that is too large', {}, [v2(12)], ['web-v2=10']],
    ['does nothing once settled', { status: COMPLETE }, [v1(0), v2(10)], []],
    [
      'begins with one unavailable pod if both limits round to 0',
      { replicas: 3, surge: '1%', unavailable: '1%' },
      [
        { ...v1(3), size: [3, 0] },
        { ...v2(0), size: [3, 1] },
      ],
      ['web-v2=1'],
    ],
    ['scales its only set', { replicas: 4 }, [v2(10)], ['web-v2=4']],
    [
      'scales the newest set if none has pods',
      { replicas: 4, paused: true },
      [{ ...v1(0), size: [0, 0] }],
      ['web-v1=4'],
    ],
    ['scales up in proportion', { replicas: 15 }, [v1(8), v2(5, 0)], ['web-v1=11', 'web-v2=7']],
    [
      'scales down in proportion',
      { replicas: 5 },
      [
        { ...v1(11), size: [15, 3] },
        { ...v2(7, 0), size: [15, 3] },
      ],
      ['web-v1=5', 'web-v2=3'],
    ],
    [
      'scales to the largest size, and not above it with surge',
      { replicas: 2 ** 31 - 1 },
      [v1(8), v2(5, 0)],
      ['web-v1=1321528400', 'web-v2=825955247'],
    ],
    ['scales to 0', { replicas: 0 }, [v1(8), v2(5, 0)], ['web-v1=0', 'web-v2=0']],
    ['creates no set while paused', { paused: true }, [v1(10)], []],
    ['fills up its largest set while paused', { paused: true }, [v1(8), v2(3)], ['web-v1=10']],
  ] as const) {
    it(what, () => assert.deepEqual(sizes(plan(traits as Traits, sets)), expected));
  }
});

describe('a step of Recreate', () => {
  const strategy = 'Recreate';

  it('first empties the old sets', () => assert.deepEqual(sizes(plan({ strategy }, [v1(10)])), ['web-v1=0']));
  it('waits for pods that have not ended', () => assert.deepEqual(sizes(plan({ strategy }, [v1(0)], true)), []));
  it('then creates the new set', () => assert.deepEqual(sizes(plan({ strategy }, [v1(0)])), ['web-new=10']));
  it('scales a set that it has', () => assert.deepEqual(sizes(plan({ strategy }, [v1(0), v2(0)])), ['web-v2=10']));
});

describe('the history of a Deployment', () => {
  const old = (revision: number, replicas = 0): SetTraits => ({ image: `v${20 + revision}`, revision, replicas });
  const removed = (traits: Traits, sets: readonly SetTraits[]) =>
    plan({ status: COMPLETE, ...traits }, sets).remove.map(({ metadata }) => metadata.name);
  const last = { ...v2(10), revision: 9 };

  it('keeps the newest sets', () => {
    assert.deepEqual(removed({ historyLimit: 1 }, [old(1), old(2), old(3), last]), ['web-v21', 'web-v22']);
    assert.deepEqual(removed({ historyLimit: 3 }, [old(1), old(2), old(3), last]), []);
  });

  it('is not cut during a rollout', () =>
    assert.deepEqual(removed({ historyLimit: 0, status: {} }, [old(1), last]), []));
  it('is cut while paused', () =>
    assert.deepEqual(removed({ historyLimit: 0, paused: true }, [old(1), last]), ['web-v21']));
  it('keeps sets with pods', () => assert.deepEqual(removed({ historyLimit: 0 }, [old(1, 1), last]), []));
  it('is unlimited', () => assert.deepEqual(removed({ historyLimit: 2 ** 31 - 1 }, [old(1), last]), []));

  it('ignores sets that are being deleted', () => {
    assert.deepEqual(removed({ historyLimit: 1 }, [{ ...old(1), deleted: true }, old(2), last]), []);
  });

  it('keeps the latest revisions that a set had, up to 2000 characters', () => {
    const annotations = { 'deployment.kubernetes.io/revision-history': '1,'.repeat(100_000) + '2' };
    const set = replicaSet(v2(10));
    const metadata = { ...set.metadata, annotations: { ...set.metadata.annotations, ...annotations } };
    const sets = [replicaSet({ ...v1(0), revision: 7 }), { ...set, metadata }];
    const { update } = planDeployment({ deployment: deployment(), sets, now: NOW, hasOtherPods: () => false });
    const history = update[0]?.set.metadata.annotations?.['deployment.kubernetes.io/revision-history'];
    assert.equal(history, `${'1,'.repeat(998)}2,2`);
  });

  it('numbers the sets', () => {
    const { update, status } = plan({ annotations: { note: 'x' } }, [{ ...v1(0), revision: 7 }, v2(10)]);
    const [
      {
        set: {
          metadata: { annotations = {} },
        },
      } = assert.fail('nothing is written'),
    ] = update;
    assert.equal(annotations['deployment.kubernetes.io/revision'], '8');
    assert.equal(annotations['deployment.kubernetes.io/revision-history'], '2');
    assert.equal(annotations['note'], 'x');
    assert.equal(status?.metadata.annotations?.['deployment.kubernetes.io/revision'], '8');
  });
});

describe('the status of a Deployment', () => {
  const progress = (traits: Traits, sets: readonly SetTraits[]) => {
    const conditions = plan(traits, sets).status?.status?.conditions ?? [];
    return conditions.find(({ type }) => type === 'Progressing');
  };
  const since = (lastUpdateTime: string, reason = 'ReplicaSetUpdated') => [
    { type: 'Progressing', status: 'True', reason, lastUpdateTime, lastTransitionTime: lastUpdateTime },
  ];

  it('counts pods of all sets', () => {
    const { conditions: _, ...counts } = plan({}, [v1(8, 6), v2(5, 0)]).status?.status ?? {};
    assert.deepEqual(counts, {
      observedGeneration: 2,
      replicas: 13,
      updatedReplicas: 5,
      readyReplicas: 6,
      availableReplicas: 6,
      unavailableReplicas: 7,
      terminatingReplicas: 0,
    });
  });

  it('reports the new set', () => {
    assert.match(progress({}, [])?.message ?? '', /^Created new replica set "web-[a-z0-9]+"$/);
  });

  it('reports progress', () => {
    const condition = progress({ status: { conditions: since('2026-01-01T11:00:00Z') } }, [v1(8), v2(5)]);
    assert.deepEqual(condition, {
      type: 'Progressing',
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message: 'ReplicaSet "web-v2" is progressing.',
      lastUpdateTime: NOON,
      lastTransitionTime: '2026-01-01T11:00:00Z',
    });
  });

  it('reports success', () => {
    const condition = progress({ status: { conditions: since('2026-01-01T11:00:00Z') } }, [v2(10)]);
    assert.deepEqual(
      [condition?.reason, condition?.message],
      ['NewReplicaSetAvailable', 'ReplicaSet "web-v2" has successfully progressed.'],
    );
  });

  const counts = { observedGeneration: 2, replicas: 13, updatedReplicas: 5, readyReplicas: 8, availableReplicas: 8 };

  it('reports a passed deadline', () => {
    const status = { ...counts, conditions: since('2026-01-01T11:49:59Z') };
    const condition = progress({ status }, [v1(8), v2(5, 0)]);
    assert.deepEqual([condition?.status, condition?.reason], ['False', 'ProgressDeadlineExceeded']);
    assert.equal(condition?.message, 'ReplicaSet "web-v2" has timed out progressing.');
  });

  it('looks again when the deadline passes', () => {
    const status = { ...counts, conditions: since('2026-01-01T11:55:00Z') };
    assert.equal(plan({ status }, [v1(8), v2(5, 0)]).requeueAfter, 301_000);
    assert.equal(
      plan({ status: { ...status, conditions: since(NOON, 'ProgressDeadlineExceeded') } }, [v1(8), v2(5, 0)])
        .requeueAfter,
      undefined,
    );
  });

  it('does not look again where no deadline runs', () => {
    const late = { ...counts, conditions: since('2026-01-01T11:00:00Z') };
    assert.equal(plan({ status: late, paused: true }, [v1(8), v2(5, 0)]).requeueAfter, undefined);
    const done = { ...counts, conditions: since('2026-01-01T11:00:00Z', 'NewReplicaSetAvailable') };
    assert.equal(plan({ status: done }, [v1(8), v2(5, 0)]).requeueAfter, undefined);
  });

  it('reports a pause and its end', () => {
    assert.equal(progress({ paused: true }, [v2(10)])?.reason, 'DeploymentPaused');
    const status = { ...COMPLETE, conditions: since(NOON, 'DeploymentPaused') };
    assert.equal(progress({ status, replicas: 9 }, [v2(10)])?.reason, 'DeploymentResumed');
  });

  it('has no progress without a deadline', () => {
    assert.equal(progress({ deadline: 2 ** 31 - 1, status: { conditions: since(NOON) } }, [v1(8), v2(5)]), undefined);
  });

  it('is not written again', () => {
    const first = plan({}, [v1(0), v2(10)]).status;
    const settled = { ...(first ?? assert.fail('no status')), status: first?.status ?? {} };
    const again = planDeployment({
      deployment: settled,
      sets: [replicaSet(v1(0)), replicaSet(v2(10))],
      hasOtherPods: () => false,
      now: NOW,
    });
    assert.deepEqual(
      [again.status, again.update, again.create, again.requeueAfter],
      [undefined, [], undefined, undefined],
    );
  });
});

describe('a rollback', () => {
  const to = (revision: string) => ({ annotations: { 'deprecated.deployment.rollback.to': revision, mine: 'x' } });
  const result = (revision: string) => {
    const { rolledBack } = plan(to(revision), [v1(0), v2(10)]);
    const { template } = rolledBack?.deployment.spec ?? {};
    return [template?.spec?.containers[0]?.image, rolledBack?.events[0]?.reason];
  };

  for (const [revision, image, reason] of [
    ['1', 'v1', 'DeploymentRollback'],
    ['0', 'v1', 'DeploymentRollback'],
    ['2', 'v2', 'DeploymentRollbackTemplateUnchanged'],
    ['5', 'v2', 'DeploymentRollbackRevisionNotFound'],
  ] as const) {
    it(`to revision ${revision}: ${reason}`, () => assert.deepEqual(result(revision), [image, reason]));
  }

  it('first numbers the set of the current template, so that the previous one is the one in use', () => {
    const unnumbered = plan(to('0'), [{ ...v1(0), revision: 7 }, v2(10)]);
    assert.deepEqual([unnumbered.rolledBack, unnumbered.update.length], [undefined, 1]);
    const without = plan(to('0'), [{ ...v1(10), revision: 7 }]);
    assert.ok(without.rolledBack === undefined && without.create !== undefined);
  });

  it('ignores a malformed request', () => assert.equal(plan(to('one'), [v2(10)]).rolledBack, undefined));
});
