import { parseSchedule, type Schedule } from '@binnacle/apimachinery/cron';
import type { CronJob } from '@binnacle/client/kinds/batch/v1';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missedRuns } from './missed-runs.js';

function cronJob(creationTimestamp: string): CronJob {
  const metadata = { name: 'report', namespace: 'shop', creationTimestamp };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec: { schedule: '', jobTemplate: {} } };
}

describe('missed runs', () => {
  for (const [text, since, now, latest] of [
    ['* * * * *', '1926-01-01T00:00:00Z', '2026-01-01T12:00:30Z', '2026-01-01T12:00:00Z'],
    // The first two runs are eleven months apart, and 44,640 more follow.
    ['* * * 1 *', '2025-01-31T23:58:00Z', '2026-03-01T00:00:00Z', '2026-01-31T23:59:00Z'],
    ['0 6-16/4 * * 1-5', '2026-01-01T00:00:00Z', '2026-03-06T13:00:00Z', '2026-03-06T10:00:00Z'],
    ['@every 90m', '2025-01-01T00:00:00Z', '2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z'],
    ['@every 7s', '1926-01-01T00:00:00Z', '2026-01-01T12:00:00Z', '2026-01-01T11:59:56Z'],
  ] as const) {
    it(`of ${text} since ${since} are found without a walk over all of them`, () => {
      const schedule = parseSchedule(text, 'UTC');
      let searches = 0;
      const counted: Schedule = { next: (after) => (searches++, schedule.next(after)) };
      const found = missedRuns(cronJob(since), counted, Date.parse(now), { withDeadline: false });
      assert.equal(new Date(found.latest ?? NaN).toISOString(), new Date(latest).toISOString());
      assert.ok(searches < 100, `${searches} searches`);
    });
  }
});
