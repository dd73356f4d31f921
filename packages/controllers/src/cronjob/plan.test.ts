import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronJob, CronJobSpec, CronJobStatus } from '@binnacle/client/kinds/batch/v1';
import { planChange, planRun } from './plan.js';

const NOON = '2026-01-01T12:00:00Z';
const now = Date.parse(NOON);
const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);

function cronJob(
  spec: Partial<CronJobSpec> = {},
  status: CronJobStatus = {},
  created = '2026-01-01T11:30:30Z',
): CronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick', namespace: 'shop', uid: 'tick-uid', creationTimestamp: created },
    spec: { schedule: '0 * * * *', timeZone: 'UTC', jobTemplate: {}, ...spec },
    status,
  };
}

const active = (name: string) => ({ active: [{ name, uid: name }] });
const lastRun = (time: string) => ({ lastScheduleTime: `2026-01-01T${time}Z` });
const HOUR = 3_600_000;

describe('the plan for a CronJob', () => {
  for (const [what, spec, status, start, next, ...reasons] of [
    ['a run is due', {}, {}, NOON, HOUR],
    ['no run is due yet', { schedule: '30 * * * *' }, lastRun('11:30:00'), undefined, HOUR / 2],
    ['the run has been', {}, lastRun('12:00:00'), undefined, HOUR],
    ['its Job is active', {}, active('tick-29454480'), undefined, HOUR],
    ['the latest of several', { schedule: '*/10 * * * *' }, lastRun('10:00:00'), NOON, HOUR / 6],
    ['of very many', { schedule: '* * * * *' }, lastRun('00:00:00'), NOON, HOUR / 60, 'TooManyMissedTimes'],
    ['too late', { schedule: '30 11 * * *', startingDeadlineSeconds: 60 }, lastRun('10:00:00'), undefined, 23.5 * HOUR],
    [
      'in time',
      { schedule: '59 11 * * *', startingDeadlineSeconds: 61 },
      {},
      '2026-01-01T11:59:00Z',
      24 * HOUR - 60_000,
    ],
    ['another is active', {}, active('other'), NOON, HOUR],
    ['and forbids it', { concurrencyPolicy: 'Forbid' }, active('other'), undefined, HOUR, 'JobAlreadyActive'],
    ['suspended', { suspend: true }, {}, undefined, undefined],
    ['an unknown zone', { timeZone: 'Mars/Base' }, {}, undefined, undefined, 'UnknownTimeZone'],
    ['no schedule', { schedule: 'x' }, {}, undefined, undefined, 'UnparseableSchedule'],
    ['no such day', { schedule: '0 0 31 2 *' }, {}, undefined, undefined, 'InvalidSchedule'],
    ['a zone in the schedule', { schedule: 'TZ=Asia/Tokyo 0 21 * * *' }, {}, NOON, 24 * HOUR, 'UnsupportedSchedule'],
    ['a zone of its own', { schedule: '0 21 * * *', timeZone: 'Asia/Tokyo' }, {}, NOON, 24 * HOUR],
  ] as const) {
    it(what, () => {
      const plan = planRun(cronJob(spec, status), now);
      assert.equal(plan.start, start === undefined ? undefined : Date.parse(start));
      assert.equal(plan.next, next === undefined ? undefined : next + 100);
      assert.deepEqual(
        plan.events.map(({ reason }) => reason),
        reasons,
      );
    });
  }

  it('replaces active Jobs', () => {
    assert.equal(planRun(cronJob({ concurrencyPolicy: 'Replace' }, active('other')), now).replaces, true);
  });

  it('creates nothing for a CronJob that is being deleted', () => {
    const given = cronJob();
    const plan = planRun({ ...given, metadata: { ...given.metadata, deletionTimestamp: NOON } }, now);
    assert.deepEqual([plan.start, plan.next], [undefined, undefined]);
  });

  it('starts a run that it has missed, within the deadline', () => {
    const spec = { schedule: '30 11 * * *', startingDeadlineSeconds: 3600 };
    const [event] = planRun(cronJob({ ...spec, startingDeadlineSeconds: 1800 }), now + 1).events;
    assert.equal(event, undefined);
    assert.equal(planRun(cronJob(spec, {}, '2026-01-01T00:00:00Z'), now).start, at('11:30:00'));
  });

  it('waits for the next time of a new schedule', () => {
    assert.deepEqual(planChange(cronJob({ schedule: '*/10 * * * *' }), now - 1), {
      ...planRun(cronJob({ suspend: true }), now),
      next: 101,
    });
    assert.equal(planChange(cronJob({ schedule: 'x' }), now).events[0]?.reason, 'UnParseableCronJobSchedule');
  });
});
