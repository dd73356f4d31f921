import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Job, JobCondition } from '@binnacle/client/kinds/batch/v1';
import type { ObjectMeta } from '@binnacle/client/typed';
import { timeToLive } from './time-to-live.js';

const NOON = '2026-01-01T12:00:00Z';
const now = Date.parse(NOON);

function job(ttl: number | undefined, conditions: readonly JobCondition[], metadata: ObjectMeta = {}): Job {
  const spec = { template: {}, ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }) };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec, status: { conditions } };
}

const complete = { type: 'Complete', status: 'True', lastTransitionTime: NOON };

describe('the time that a Job has left', () => {
  for (const [what, given, left] of [
    ['counts from the end of a complete Job', job(60, [complete]), 60_000],
    ['counts from the end of a failed Job', job(60, [{ ...complete, type: 'Failed' }]), 60_000],
    ['may be over at once', job(0, [complete]), 0],
    ['may be over', job(60, [{ ...complete, lastTransitionTime: '2026-01-01T11:58:00Z' }]), -60_000],
    ['is unlimited without a time to live', job(undefined, [complete]), undefined],
    ['is unlimited before the end', job(60, [{ ...complete, type: 'SuccessCriteriaMet' }]), undefined],
    ['is unlimited if the condition is false', job(60, [{ ...complete, status: 'False' }]), undefined],
    ['is unlimited without the time of the end', job(60, [{ type: 'Complete', status: 'True' }]), undefined],
    ['does not matter once the Job is being deleted', job(60, [complete], { deletionTimestamp: NOON }), undefined],
  ] as const) {
    it(what, () => assert.equal(timeToLive(given, now), left));
  }
});
