import assert from 'node:assert/strict';
import { CronJob, Job } from '@binnacle/client/kinds/batch/v1';
import { eventually } from '@binnacle/client/testing';
import { PATIENT } from '../components/cluster.mjs';
import { job, template } from '../components/objects.mjs';

const MINUTE = 60_000;

/** A Job each minute, whose pods wait forever. */
export async function startCronJob(of) {
  const { spec } = job('tick', { template: template('tick', 1, { schedulerName: 'none', restartPolicy: 'Never' }) });
  await of(CronJob).create({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '* * * * *', jobTemplate: { spec } },
  });
}

/** Resolves when there is a Job of a time after `time`. */
export const cronJobRuns = (of, time) =>
  eventually(async () => assert.ok((await scheduledTimes(of)).some((scheduled) => scheduled > time)), PATIENT);

/** No minute has been left out or was used twice, and each Job has created one pod. */
export const assertEachMinuteOnce = (of, { created, deleted }) =>
  // The status follows the Jobs.
  eventually(async () => {
    const times = await scheduledTimes(of);
    const minutes = times.map((_, index) => times[0] + index * MINUTE);
    assert.deepEqual(times, minutes);
    const { status } = await of(CronJob).get('tick');
    assert.deepEqual([status.active.length, created.length, deleted.length], [times.length, times.length, 0]);
  }, PATIENT);

async function scheduledTimes(of) {
  const { items } = await of(Job).list();
  return items
    .map(({ metadata }) => Date.parse(metadata.annotations['batch.kubernetes.io/cronjob-scheduled-timestamp']))
    .sort((a, b) => a - b);
}
