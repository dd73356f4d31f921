import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronJob, CronJobSpec, Job } from '@binnacle/client/kinds/batch/v1';
import { expiredJobs, noteJobs } from './active-jobs.js';

const NOON = '2026-01-01T12:00:00Z';

const cronJob = (spec: Partial<CronJobSpec>): CronJob => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'tick' },
  spec: { schedule: '0 * * * *', jobTemplate: {}, ...spec },
});

function job(name: string, type?: 'Complete' | 'Failed', time = NOON): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, uid: name },
    status: {
      startTime: time,
      ...(type === undefined ? {} : { completionTime: time, conditions: [{ type, status: 'True' }] }),
    },
  };
}

describe('the Jobs of a CronJob', () => {
  it('leave the list when they end or are gone', () => {
    const status = { active: ['a', 'b', 'c'].map((name) => ({ name, uid: name })) };
    const noted = noteJobs(status, [job('a'), job('b', 'Complete'), job('d')], new Set(['c']));
    assert.deepEqual(noted.status, { active: [{ name: 'a', uid: 'a' }], lastSuccessfulTime: NOON });
    assert.deepEqual(
      noted.events.map(({ message }) => message),
      [
        'Saw completed job: b, condition: Complete',
        'Saw a job that the controller did not create or forgot: d',
        'Active job went missing: c',
      ],
    );
  });

  it('keep the time of the last success', () => {
    const earlier = '2026-01-01T11:00:00Z';
    const jobs = [job('a', 'Complete', earlier), job('b', 'Failed')];
    assert.equal(noteJobs({ lastSuccessfulTime: NOON }, jobs, new Set()).status.lastSuccessfulTime, NOON);
    assert.equal(noteJobs({}, jobs, new Set()).status.lastSuccessfulTime, earlier);
  });

  it('expire beyond the limits, the oldest first', () => {
    const jobs = [
      job('c', 'Complete'),
      job('a', 'Complete'),
      job('b', 'Complete', '2026-01-01T11:00:00Z'),
      job('f', 'Failed'),
      job('r'),
    ];
    const names = (spec: Partial<CronJobSpec>) => expiredJobs(cronJob(spec), jobs).map(({ metadata }) => metadata.name);
    assert.deepEqual(names({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 }), ['b', 'a']);
    assert.deepEqual(names({ failedJobsHistoryLimit: 0 }), ['f']);
    assert.deepEqual(names({}), []);
  });
});
