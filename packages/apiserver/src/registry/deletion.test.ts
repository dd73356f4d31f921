import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Int64 } from '@binnacle/apimachinery/json';
import type { KubernetesObject, ObjectMeta } from '@binnacle/apimachinery/meta';
import { advancesDeletion, checkDeletePreconditions, completesDeletion, planDeletion } from './deletion.js';
import type { DeleteOptions } from './scope.js';
import type { Strategy } from './strategy.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const info = {
  resource: { group: '', resource: 'pods' },
  kind: { group: '', kind: 'Pod' },
  namespaced: true,
  prefix: '/registry/pods/',
};
const plain: Strategy = {};
const graceful: Strategy = { gracefulDeletionSeconds: (_object, requested) => requested ?? 30 };
const orphaning: Strategy = { defaultDeletionPropagation: 'Orphan' };
const ungoverned: Strategy = { defaultDeletionPropagation: 'Unsupported' };

function pod(metadata: ObjectMeta = {}): KubernetesObject {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a', uid: 'u', resourceVersion: '5', ...metadata } };
}

function plan(strategy: Strategy, metadata: ObjectMeta, options: DeleteOptions = {}) {
  const decided = planDeletion(strategy, pod(metadata), options, NOW);
  if (!('object' in decided)) return [decided.type];
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers, generation } = decided.object.metadata;
  return [decided.type, deletionTimestamp, deletionGracePeriodSeconds, finalizers, generation];
}

const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString().replace('.000', '');

describe('advancesDeletion', () => {
  const cases: readonly (readonly [before: ObjectMeta, after: ObjectMeta, expected: boolean])[] = [
    [{ deletionTimestamp: at(0), finalizers: ['a/b', 'c/d'] }, { finalizers: ['c/d'] }, true],
    [{ deletionTimestamp: at(0), finalizers: ['a/b'] }, {}, true],
    [{ deletionTimestamp: at(0), finalizers: ['a/b'] }, { finalizers: ['a/b'], labels: { x: 'y' } }, false],
    [{ deletionTimestamp: at(0) }, {}, false],
    [{ finalizers: ['a/b'] }, {}, false],
  ];
  for (const [before, after, expected] of cases) {
    it(`is ${expected} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
      assert.equal(advancesDeletion(pod(after), pod(before)), expected);
    });
  }
});

describe('planDeletion', () => {
  it('gives grace periods of centuries an end that clients can read, as Go computes it', () => {
    const ends: readonly (readonly [seconds: Int64, end: string])[] = [
      [9_223_372_036, '2318-04-14T02:51:21Z'],
      [9_223_372_037, '1733-09-23T03:16:48Z'],
      [3_000_000_000_000_000, '2216-06-30T06:34:20Z'],
      [9_223_372_036_854_775_807n, '2026-01-02T03:04:04Z'],
    ];
    for (const [seconds, end] of ends) {
      assert.deepEqual(plan(graceful, {}, { gracePeriodSeconds: seconds }).slice(1, 3), [end, seconds]);
    }
    const marked = { deletionTimestamp: at(-1), deletionGracePeriodSeconds: 9_223_372_036_854_775_807n };
    assert.deepEqual(plan(graceful, marked, { gracePeriodSeconds: 30 }).slice(1, 3), [at(30), 30]);
  });

  it('deletes an object without finalizers or grace at once', () => {
    assert.deepEqual(plan(plain, {}), ['delete']);
    assert.deepEqual(plan(plain, { finalizers: ['orphan'] }, { propagationPolicy: 'Background' }), ['delete']);
  });

  it('marks an object with a finalizer once', () => {
    const held = { finalizers: ['x/y'], generation: 3 };
    assert.deepEqual(plan(plain, held), ['mark', at(0), 0, ['x/y'], 4]);
    const marked = { ...held, deletionTimestamp: at(-9), deletionGracePeriodSeconds: 0 };
    assert.deepEqual(plan(plain, marked), ['mark', at(-9), 0, ['x/y'], 3]);
  });

  it('records the propagation policy of the request, else of the object, else of the kind', () => {
    const cases: readonly (readonly [Strategy, string[] | undefined, DeleteOptions, string[] | undefined])[] = [
      [plain, undefined, { propagationPolicy: 'Orphan' }, ['orphan']],
      [plain, undefined, { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
      [plain, undefined, { orphanDependents: true }, ['orphan']],
      [plain, ['orphan'], { orphanDependents: false }, undefined],
      [plain, ['orphan'], { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
      [plain, ['orphan'], {}, ['orphan']],
      [plain, ['x/y', 'foregroundDeletion'], { propagationPolicy: 'Orphan' }, ['x/y', 'orphan']],
      [orphaning, undefined, {}, ['orphan']],
      [orphaning, undefined, { propagationPolicy: 'Background' }, undefined],
      [ungoverned, ['x/y', 'orphan'], { propagationPolicy: 'Orphan' }, ['x/y']],
      [ungoverned, ['x/y'], { propagationPolicy: 'Foreground' }, ['x/y']],
    ];
    for (const [strategy, finalizers, options, expected] of cases) {
      const decided = plan(strategy, finalizers === undefined ? {} : { finalizers }, options);
      assert.deepEqual(decided[3], expected, JSON.stringify([finalizers, options]));
      assert.equal(decided[0], expected === undefined ? 'delete' : 'mark');
    }
  });

  it('ignores the propagation policy of the first delete of a kind that marks its objects itself', () => {
    const marking: Strategy = {
      hasOwnFinalizers: ({ metadata }) => metadata.deletionTimestamp === undefined,
      markForDeletion: ({ metadata }) => {
        metadata.deletionTimestamp = at(0);
      },
    };
    const orphan = { propagationPolicy: 'Orphan' } as const;
    assert.deepEqual(plan(marking, {}, orphan), ['mark', at(0), undefined, undefined, undefined]);
    assert.deepEqual(plan(marking, { deletionTimestamp: at(0) }, orphan)[3], ['orphan']);
  });

  it('grants a grace period', () => {
    assert.deepEqual(plan(graceful, { generation: 1 }), ['mark', at(30), 30, undefined, 2]);
    assert.deepEqual(plan(graceful, {}, { gracePeriodSeconds: 5 }), ['mark', at(5), 5, undefined, undefined]);
    assert.deepEqual(plan(graceful, {}, { gracePeriodSeconds: -3 }), ['mark', at(1), 1, undefined, undefined]);
    assert.deepEqual(plan(graceful, {}, { gracePeriodSeconds: 0 }), [
      'mark-and-delete',
      at(0),
      0,
      undefined,
      undefined,
    ]);
    assert.deepEqual(plan(graceful, { finalizers: ['x/y'] }, { gracePeriodSeconds: 0 }), [
      'mark',
      at(0),
      0,
      ['x/y'],
      undefined,
    ]);
  });

  it('shortens a grace period and never extends it', () => {
    const marked = { deletionTimestamp: at(20), deletionGracePeriodSeconds: 30 };
    assert.deepEqual(plan(graceful, marked), ['pending']);
    assert.deepEqual(plan(graceful, marked, { gracePeriodSeconds: 30 }), ['pending']);
    assert.deepEqual(plan(graceful, marked, { gracePeriodSeconds: 4 }), ['mark', at(-6), 4, undefined, undefined]);
    assert.deepEqual(plan(graceful, marked, { gracePeriodSeconds: 0 }), [
      'mark-and-delete',
      at(-10),
      0,
      undefined,
      undefined,
    ]);
  });

  it('finishes the deletion of a marked object that nothing holds any longer', () => {
    assert.deepEqual(plan(graceful, { deletionTimestamp: at(-60), deletionGracePeriodSeconds: 0 }), ['delete']);
  });

  it('checks the preconditions against the current object', () => {
    const refused = (preconditions: DeleteOptions['preconditions']) => () =>
      checkDeletePreconditions(info, plain, pod(), preconditions === undefined ? {} : { preconditions });
    assert.throws(refused({ uid: 'other' }), {
      code: 409,
      message: /Pod.* "a".*UID in the precondition \(other\).*\(u\)/,
    });
    assert.throws(refused({ resourceVersion: '4' }), {
      code: 409,
      message: /ResourceVersion in the precondition \(4\)/,
    });
    assert.doesNotThrow(refused({ uid: 'u', resourceVersion: '5' }));
    assert.throws(
      () =>
        checkDeletePreconditions(info, { refusesDeletesAsUpdates: true }, pod(), { preconditions: { uid: 'other' } }),
      { code: 409, message: /on pods "a": Precondition failed: UID in precondition: other, UID in object meta: u$/ },
    );
  });
});

describe('completesDeletion', () => {
  const marked = { deletionTimestamp: at(0), deletionGracePeriodSeconds: 0 };
  it('is true for an update that removes the last finalizer of a marked object', () => {
    assert.equal(completesDeletion(plain, pod(), pod({ ...marked, finalizers: ['x/y'] })), true);
    assert.equal(completesDeletion(plain, pod({ finalizers: ['x/y'] }), pod(marked)), false);
    assert.equal(completesDeletion(plain, pod(), pod()), false);
    assert.equal(completesDeletion(plain, pod(), pod({ ...marked, deletionGracePeriodSeconds: 30 })), false);
    assert.equal(completesDeletion({ hasOwnFinalizers: () => true }, pod(), pod(marked)), false);
  });
});
