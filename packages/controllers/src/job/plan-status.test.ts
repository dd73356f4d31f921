import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JobSpec, JobStatus } from '@binnacle/client/kinds/batch/v1';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { assess } from './assess.js';
import { jobOf, NOON, NOW, podOf, seenOf } from './job.testing.js';
import { finishStatus, planStatus } from './plan-status.js';

const indexed: Partial<JobSpec> = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
const perIndex = { ...indexed, backoffLimitPerIndex: 2 };
const succeeded = podOf('s', { phase: 'Succeeded' });
const failed = podOf('f', { phase: 'Failed' });
const running = podOf('r');

function plan(spec: Partial<JobSpec>, status: JobStatus, pods: readonly Pod[]) {
  const seen = seenOf(jobOf(spec, status), pods);
  const assessment = assess(seen);
  return planStatus(seen, assessment, { counts: assessment.counts, isComplete: true });
}

describe('the status of a Job', () => {
  for (const [what, spec, status, pods, uncounted, totals, untracked] of [
    ['a pod at work', {}, {}, [running], {}, {}, []],
    ['a success', { completions: 2 }, {}, [succeeded], { succeeded: ['s'] }, {}, ['s']],
    ['a failure', {}, {}, [failed], { failed: ['f'] }, {}, ['f']],
    ['listed before', {}, { uncountedTerminatedPods: { failed: ['f'] } }, [failed], { failed: ['f'] }, {}, ['f']],
    [
      'untracked since',
      {},
      { uncountedTerminatedPods: { failed: ['f'] } },
      [podOf('f', { phase: 'Failed', isTracked: false })],
      {},
      { failed: 1 },
      [],
    ],
    ['gone since', {}, { failed: 2, uncountedTerminatedPods: { failed: ['f'] } }, [], {}, { failed: 3 }, []],
    ['counted before', {}, { failed: 1 }, [podOf('f', { phase: 'Failed', isTracked: false })], {}, { failed: 1 }, []],
    ['an index', indexed, {}, [podOf('s', { phase: 'Succeeded', index: 1 })], {}, { succeeded: 1 }, ['s']],
    [
      'an index again',
      indexed,
      { completedIndexes: '1', succeeded: 1 },
      [podOf('s', { phase: 'Succeeded', index: 1 })],
      {},
      { succeeded: 1 },
      ['s'],
    ],
    ['an index that shall have another pod', perIndex, {}, [podOf('f', { phase: 'Failed', index: 1 })], {}, {}, []],
    [
      'an index that has another pod',
      perIndex,
      {},
      [podOf('f', { phase: 'Failed', index: 1 }), podOf('r', { index: 1 })],
      { failed: ['f'] },
      {},
      ['f'],
    ],
    ['the end', { backoffLimit: 0 }, {}, [failed, running], { failed: ['f', 'r'] }, {}, ['f', 'r']],
  ] as const) {
    it(what, () => {
      const { status: planned, untrack } = plan(spec, status, pods);
      assert.deepEqual(planned.uncountedTerminatedPods, uncounted);
      const { succeeded, failed } = planned;
      assert.deepEqual({ ...(succeeded && { succeeded }), ...(failed && { failed }) }, totals);
      assert.deepEqual(
        untrack.map(({ metadata }) => metadata.uid),
        untracked,
      );
    });
  }

  it('announces the end, and has it once all pods are counted', () => {
    const planned = plan({}, {}, [succeeded]);
    assert.deepEqual(
      planned.status.conditions?.map(({ type }) => type),
      ['SuccessCriteriaMet'],
    );
    assert.equal(finishStatus(planned, planned.status, new Set(['s']), NOW).isFinished, false);
    const { status, isFinished } = finishStatus(planned, planned.status, new Set(), NOW);
    assert.deepEqual([isFinished, status.succeeded, status.completionTime], [true, 1, NOON]);
    assert.deepEqual(
      status.conditions?.map(({ type }) => type),
      ['SuccessCriteriaMet', 'Complete'],
    );
  });

  it('does not end while a pod terminates', () => {
    const planned = plan({ backoffLimit: 0 }, {}, [failed, podOf('t', { isDeleted: true, isTracked: false })]);
    assert.equal(planned.status.terminating, 1);
    assert.equal(finishStatus(planned, planned.status, new Set(), NOW).isFinished, false);
  });

  it('does not end before all pods are being deleted', () => {
    const seen = seenOf(jobOf({ backoffLimit: 0 }), [failed, running]);
    const assessment = assess(seen);
    const planned = planStatus(seen, assessment, { counts: assessment.counts, isComplete: false });
    assert.deepEqual([planned.verdict, planned.status.conditions], [undefined, undefined]);
  });

  it('lists 500 pods at most', () => {
    const pods = Array.from({ length: 600 }, (_, index) => podOf(`s${index}`, { phase: 'Succeeded' }));
    const planned = plan({ completions: 600 }, {}, pods);
    assert.deepEqual([planned.untrack.length, planned.hasMore], [500, true]);
    assert.equal(finishStatus(planned, planned.status, new Set(), NOW).isFinished, false);
  });

  it('forgets the start of a suspended Job, and starts again', () => {
    const started = '2026-01-01T11:00:00Z';
    const paused = plan({ suspend: true }, { startTime: started }, []);
    assert.deepEqual([paused.change, paused.status.startTime], ['Suspended', undefined]);
    const resumed = plan({}, { conditions: paused.status.conditions ?? [] }, []);
    assert.deepEqual([resumed.change, resumed.status.startTime], ['Resumed', NOON]);
    assert.equal(resumed.status.conditions?.[0]?.status, 'False');
    assert.equal(plan({}, {}, []).change, undefined);
  });
});
