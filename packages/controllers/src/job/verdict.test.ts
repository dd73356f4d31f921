import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JobSpec } from '@binnacle/client/kinds/batch/v1';
import { assess } from './assess.js';
import { jobOf, NOON, podOf, seenOf } from './job.testing.js';

const indexed: Partial<JobSpec> = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
const failing: Partial<JobSpec> = {
  podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
};
const ignoring: Partial<JobSpec> = {
  backoffLimit: 0,
  podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
};
const perIndex = { ...indexed, backoffLimitPerIndex: 1 };
const failingIndex: Partial<JobSpec> = {
  ...perIndex,
  podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'NotIn', values: [1] } }] },
};
const success = (rule: object): Partial<JobSpec> => ({ ...indexed, successPolicy: { rules: [rule] } });
const failed = podOf('a', { phase: 'Failed' });
const done = (index: number) => podOf(`done-${index}`, { phase: 'Succeeded', index });
const lost = (index: number, failures: number) => podOf(`lost-${index}`, { phase: 'Failed', index, failures });
const target = { type: 'FailureTarget', status: 'True', reason: 'Why', message: 'because' };

describe('the verdict on a Job', () => {
  for (const [what, spec, status, pods, reason] of [
    ['none while it runs', {}, {}, [podOf('a')], undefined],
    ['none up to the limit', { backoffLimit: 1 }, {}, [failed], undefined],
    ['too many failures', { backoffLimit: 0 }, {}, [failed], 'BackoffLimitExceeded'],
    ['too many failures with counted ones', { backoffLimit: 1 }, { failed: 1 }, [failed], 'BackoffLimitExceeded'],
    [
      'no failure counts twice',
      { backoffLimit: 1 },
      { uncountedTerminatedPods: { failed: ['a'] } },
      [failed],
      undefined,
    ],
    [
      'no untracked pod counts',
      { backoffLimit: 0 },
      {},
      [podOf('a', { phase: 'Failed', isTracked: false })],
      undefined,
    ],
    ['a deleted pod has failed', { backoffLimit: 0 }, {}, [podOf('a', { isDeleted: true })], 'BackoffLimitExceeded'],
    [
      'unless only ended pods are replaced',
      { backoffLimit: 0, podReplacementPolicy: 'Failed' },
      {},
      [podOf('a', { isDeleted: true })],
      undefined,
    ],
    [
      'restarts of containers',
      { backoffLimit: 2, template: { spec: { containers: [], restartPolicy: 'OnFailure' } } },
      {},
      [podOf('a', { restarts: 2 })],
      'BackoffLimitExceeded',
    ],
    ['restarts only with OnFailure', { backoffLimit: 2 }, {}, [podOf('a', { restarts: 2 })], undefined],
    [
      'past the deadline',
      { activeDeadlineSeconds: 5 },
      { startTime: '2026-01-01T11:59:55Z' },
      [podOf('a')],
      'DeadlineExceeded',
    ],
    [
      'before the deadline',
      { activeDeadlineSeconds: 6 },
      { startTime: '2026-01-01T11:59:55Z' },
      [podOf('a')],
      undefined,
    ],
    [
      'no deadline in suspension',
      { activeDeadlineSeconds: 5, suspend: true },
      { startTime: '2026-01-01T11:59:55Z' },
      [],
      undefined,
    ],
    ['a rule that fails the Job', failing, {}, [podOf('a', { phase: 'Failed', exitCode: 42 })], 'PodFailurePolicy'],
    ['no rule matches', failing, {}, [podOf('a', { phase: 'Failed', exitCode: 41 })], undefined],
    ['a rule that ignores', ignoring, {}, [podOf('a', { phase: 'Failed', condition: 'DisruptionTarget' })], undefined],
    ['a rule that does not', ignoring, {}, [failed], 'BackoffLimitExceeded'],
    ['an index may fail again', perIndex, {}, [lost(0, 0), done(1), done(2)], undefined],
    ['an index has failed', perIndex, {}, [lost(0, 1), done(1)], undefined],
    ['all indexes have ended', perIndex, {}, [lost(0, 1), done(1), done(2)], 'FailedIndexes'],
    [
      'too many indexes',
      { ...perIndex, maxFailedIndexes: 1 },
      { failedIndexes: '0' },
      [lost(1, 1)],
      'MaxFailedIndexesExceeded',
    ],
    [
      'a rule that fails the index',
      failingIndex,
      { completedIndexes: '1,2' },
      [podOf('a', { phase: 'Failed', index: 0, exitCode: 9 })],
      'FailedIndexes',
    ],
    [
      'the indexes that matter',
      success({ succeededIndexes: '0,2' }),
      { completedIndexes: '0' },
      [done(2)],
      'SuccessPolicy',
    ],
    ['not all of the indexes that matter', success({ succeededIndexes: '0,2' }), {}, [done(1), done(2)], undefined],
    ['as many indexes as the rule asks for', success({ succeededCount: 2 }), {}, [done(1), done(2)], 'SuccessPolicy'],
    [
      'as many of the named indexes',
      success({ succeededIndexes: '0,1', succeededCount: 1 }),
      {},
      [done(1)],
      'SuccessPolicy',
    ],
    ['what was decided before', {}, { conditions: [target] }, [podOf('a')], 'Why'],
  ] as const) {
    it(`${what}: ${reason ?? 'none'}`, () => {
      const { verdict } = assess(seenOf(jobOf(spec, status), pods));
      assert.equal(verdict?.reason, reason);
    });
  }

  it('says which pod has failed the Job', () => {
    const pod = podOf('a', { phase: 'Failed', exitCode: 42 });
    assert.equal(
      assess(seenOf(jobOf(failing), [pod])).verdict?.message,
      'Container c for pod shop/a failed with exit code 42 matching FailJob rule at index 0',
    );
  });

  it('notes the start of the Job at the first look, unless it is suspended', () => {
    assert.equal(assess(seenOf(jobOf(), [])).startedAt, Date.parse(NOON));
    assert.equal(assess(seenOf(jobOf({ suspend: true }), [])).startedAt, undefined);
  });
});
