import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JobSpec } from '@binnacle/client/kinds/batch/v1';
import { assess } from './assess.js';
import { jobOf, podOf, seenOf } from './job.testing.js';
import { planPods, type PodPlan } from './plan-pods.js';

const indexed: Partial<JobSpec> = { completionMode: 'Indexed', completions: 4, parallelism: 3 };
const perIndex = { ...indexed, backoffLimitPerIndex: 5 };
const running = (uid: string, index?: number) => podOf(uid, index === undefined ? {} : { index });
const leaving = podOf('leaving', { isDeleted: true, isTracked: false });
const failedBefore = (seconds: number) => podOf('x', { phase: 'Failed', endedBefore: seconds });
const lost = (index: number, failures: number, seconds: number) =>
  podOf(`lost-${index}`, { phase: 'Failed', index, failures, endedBefore: seconds });

function summary(plan: PodPlan): unknown {
  switch (plan.kind) {
    case 'create':
      return ['create', ...plan.indexes];
    case 'wait':
      return ['wait', plan.delay];
    case 'nothing':
      return ['nothing'];
    default:
      return [plan.kind, ...plan.pods.map(({ metadata }) => metadata.uid)];
  }
}

describe('the plan for the pods of a Job', () => {
  for (const [what, spec, status, pods, expected] of [
    ['the first pods', { completions: 3, parallelism: 2 }, {}, [], ['create', undefined, undefined]],
    ['no more than are needed', { completions: 3, parallelism: 2 }, { succeeded: 2 }, [], ['create', undefined]],
    ['enough', { completions: 3, parallelism: 2 }, {}, [running('a'), running('b')], ['nothing']],
    [
      'too many',
      { completions: 3, parallelism: 1 },
      {},
      [podOf('a', { isReady: true }), running('b')],
      ['remove', 'b'],
    ],
    ['a paused Job', { suspend: true }, {}, [running('a')], ['remove', 'a']],
    ['a work queue', { completions: undefined, parallelism: 2 }, {}, [running('a')], ['create', undefined]],
    [
      'a work queue with a success',
      { completions: undefined, parallelism: 2 },
      { succeeded: 1 },
      [running('a')],
      ['nothing'],
    ],
    ['a pod that is being deleted is replaced', {}, {}, [leaving], ['create', undefined]],
    ['unless only ended pods are', { podReplacementPolicy: 'Failed' }, {}, [leaving], ['nothing']],
    ['too early after a failure', {}, {}, [failedBefore(4)], ['wait', 6000]],
    ['at least a second', {}, {}, [failedBefore(9.5)], ['wait', 1000]],
    ['late enough', {}, {}, [failedBefore(11)], ['create', undefined]],
    ['the end', { backoffLimit: 0 }, {}, [failedBefore(4), running('a')], ['end', 'a']],
    ['the first indexes', indexed, {}, [], ['create', 0, 1, 2]],
    ['the indexes that are left', indexed, { completedIndexes: '0' }, [running('a', 2)], ['create', 1, 3]],
    ['doubled indexes', indexed, {}, [running('a', 1), podOf('b', { index: 1, isReady: true })], ['remove', 'a']],
    ['wrong indexes', indexed, {}, [running('a', 4), running('b'), running('c', 0)], ['remove', 'a', 'b']],
    ['too early for an index', perIndex, { completedIndexes: '1-3' }, [lost(0, 1, 4)], ['wait', 16_000]],
    ['not for others', perIndex, { completedIndexes: '1' }, [lost(0, 1, 4)], ['create', 2, 3]],
    ['no failed index', perIndex, { completedIndexes: '2,3', failedIndexes: '1' }, [], ['create', 0]],
  ] as const) {
    it(what, () => {
      const { completions = 1, ...rest } = spec as Partial<JobSpec>;
      const job = jobOf(
        'completions' in spec && spec.completions === undefined ? rest : { ...rest, completions },
        status,
      );
      const { completions: _, ...withoutCompletions } = job.spec ?? { template: {} };
      const isQueue = 'completions' in spec && spec.completions === undefined;
      const seen = seenOf(isQueue ? { ...job, spec: withoutCompletions } : job, pods);
      assert.deepEqual(summary(planPods(seen, assess(seen))), expected);
    });
  }

  it('leaves a Job that is being deleted alone', () => {
    const seen = seenOf(jobOf({}, {}, { deletionTimestamp: 'soon' }), []);
    assert.equal(planPods(seen, assess(seen)).kind, 'nothing');
  });

  it('creates 500 pods at most', () => {
    const seen = seenOf(jobOf({ completions: 2000, parallelism: 2000 }), []);
    const plan = planPods(seen, assess(seen));
    assert.equal(plan.kind === 'create' && plan.indexes.length, 500);
  });
});
