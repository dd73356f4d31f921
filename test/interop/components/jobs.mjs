import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { CronJob, Job } from '@binnacle/client/kinds/batch/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { eventually, waitFor, waitForDeletion } from '@binnacle/client/testing';
import { PATIENT } from './cluster.mjs';
import { hasCondition, job } from './objects.mjs';

/** A Job runs its pods until they end, and is deleted after its time to live. */
export async function walkJob(cluster) {
  const of = await cluster.namespace('job');
  const [jobs, pods] = [Job, Pod].map(of);
  await jobs.create(job('sum', { completions: 3, parallelism: 2, ttlSecondsAfterFinished: 3 }));
  await waitFor(jobs, 'sum', ({ status }) => status.active === 2 && status.ready === 2, PATIENT);
  const { status } = await completed(jobs, 'sum', pods);
  assert.deepEqual([status.succeeded, status.active ?? 0, status.failed ?? 0], [3, 0, 0]);
  await waitForDeletion(jobs, 'sum', PATIENT);
  await eventually(async () => assert.deepEqual((await pods.list()).items, []), PATIENT);
}

/** A CronJob creates a Job when a minute begins, and records when it succeeds. */
export async function walkCronJob(cluster) {
  const of = await cluster.namespace('cron');
  const [cronJobs, jobs, pods] = [CronJob, Job, Pod].map(of);
  const { spec } = job('tick');
  await cronJobs.create({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '* * * * *', jobTemplate: { spec } },
  });
  const { status } = await waitFor(cronJobs, 'tick', ({ status }) => status?.active?.length === 1, PATIENT);
  assert.ok(status.lastScheduleTime);
  await completed(jobs, status.active[0].name, pods);
  await waitFor(cronJobs, 'tick', ({ status }) => status.lastSuccessfulTime !== undefined, PATIENT);
}

/** Resolves with the Job when it is complete. Hollow containers never end, so this writes that their pods have succeeded. */
async function completed(jobs, name, pods) {
  const over = new AbortController();
  const complete = waitFor(jobs, name, hasCondition('Complete'), PATIENT).finally(() => over.abort());
  const [job] = await Promise.all([complete, endPods(pods, over.signal)]);
  return job;
}

/** Repeats its writes, because a node that has just read a pod may write again that it runs. */
async function endPods(pods, signal) {
  for (; !signal.aborted; await pause(500)) {
    const { items } = await pods.list({ fieldSelector: 'status.phase=Running' });
    for (const { metadata } of items) {
      await pods.status.patch(metadata.name, { type: 'merge', body: { status: { phase: 'Succeeded' } } });
    }
  }
}
