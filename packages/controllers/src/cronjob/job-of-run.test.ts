import assert from 'node:assert/strict';
import { it } from 'node:test';
import { jobOfRun } from './job-of-run.js';

it('names the Job of a run by its minute, and notes its time', () => {
  const cronJob = {
    apiVersion: 'batch/v1' as const,
    kind: 'CronJob' as const,
    metadata: { name: 'tick', namespace: 'shop', uid: 'tick-uid' },
    spec: { schedule: '0 * * * *', timeZone: 'Asia/Tokyo', jobTemplate: { metadata: { labels: { a: 'b' } } } },
  };
  const job = jobOfRun(cronJob, Date.parse('2026-01-01T12:00:00Z'));
  assert.equal(job.metadata.name, 'tick-29454480');
  assert.deepEqual(job.metadata.labels, { a: 'b' });
  const annotations = { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T21:00:00+09:00' };
  assert.deepEqual(job.metadata.annotations, annotations);
});
