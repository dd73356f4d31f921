import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JobSpec } from '@binnacle/client/kinds/batch/v1';
import type { Container } from '@binnacle/client/kinds/core/v1';
import { jobOf, podOf } from './job.testing.js';
import { podOfIndex, podOfJob } from './pod-of-job.js';

const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';
const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count';

const variable = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } },
};

describe('a pod of a Job', () => {
  it('has the finalizer once', () => {
    const template = { metadata: { finalizers: ['mine', TRACKING] }, spec: { containers: [] } };
    assert.deepEqual(podOfJob(jobOf({ template })).metadata.finalizers, ['mine', TRACKING]);
    assert.deepEqual(podOfJob(jobOf()).metadata.finalizers, [TRACKING]);
  });
});

describe('a pod of an index', () => {
  it('is told its index in all containers that do not set it', () => {
    const own = { name: 'own', env: [{ name: 'JOB_COMPLETION_INDEX', value: '7' }] };
    const containers: Container[] = [{ name: 'c', env: [{ name: 'A', value: 'b' }] }, own];
    const template = { spec: { containers, initContainers: [{ name: 'i' }] } };
    const { metadata, spec } = podOfIndex(jobOf({ template }), 3, undefined);
    assert.deepEqual(spec?.containers, [{ name: 'c', env: [{ name: 'A', value: 'b' }, variable] }, own]);
    assert.deepEqual(spec?.initContainers, [{ name: 'i', env: [variable] }]);
    assert.deepEqual([spec?.hostname, metadata.generateName], ['work-3', 'work-3-']);
    assert.deepEqual([metadata.labels, metadata.annotations], [{ [INDEX]: '3' }, { [INDEX]: '3' }]);
  });

  it('has a name that is cut before the index', () => {
    const job = jobOf({}, {}, { name: 'w'.repeat(63) });
    assert.equal(podOfIndex(job, 12, undefined).metadata.generateName, `${'w'.repeat(54)}-12-`);
  });

  const onExitCodes = { operator: 'In', values: [42] } as const;
  const podFailurePolicy: NonNullable<JobSpec['podFailurePolicy']> = { rules: [{ action: 'Ignore', onExitCodes }] };
  const failed = (failures: number, exitCode: number) => podOf('p', { phase: 'Failed', index: 0, failures, exitCode });

  for (const [what, spec, before, expected] of [
    ['has no count without a limit for indexes', {}, failed(1, 1), {}],
    ['begins with no failure', { backoffLimitPerIndex: 3 }, undefined, { [FAILURES]: '0' }],
    ['counts the failure before it', { backoffLimitPerIndex: 3 }, failed(1, 1), { [FAILURES]: '2' }],
    [
      'counts a failure that the policy ignores apart',
      { backoffLimitPerIndex: 3, podFailurePolicy },
      failed(1, 42),
      { [FAILURES]: '1', [IGNORED]: '1' },
    ],
    ['keeps that count', { backoffLimitPerIndex: 3 }, ignoredOnce(), { [FAILURES]: '2', [IGNORED]: '1' }],
  ] as const) {
    it(what, () => {
      const { annotations } = podOfIndex(jobOf(spec), 0, before).metadata;
      assert.deepEqual(annotations, { [INDEX]: '0', ...expected });
    });
  }

  function ignoredOnce() {
    const pod = failed(1, 1);
    return { ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, [IGNORED]: '1' } } };
  }
});
