import { Backoff } from '@binnacle/apimachinery/clock';
import type { Pod } from '@binnacle/client/kinds/core/v1';
import { finishedAt, ignoredIndexFailures, indexFailures } from './job-pods.js';

/** The failures of a Job that delay its next pod. */
export interface BackoffRecord {
  /** Since the last success. */
  readonly failures: number;
  /** When the last one ended, in milliseconds since the epoch. */
  readonly lastFailure: number;
}

export const noFailures: BackoffRecord = { failures: 0, lastFailure: 0 };

const backoff = new Backoff({ initial: 10_000, maximum: 600_000 });

/** The record after these pods have ended. A success ends the failures before it. */
export function recordEnds(record: BackoffRecord, succeeded: readonly Pod[], failed: readonly Pod[]): BackoffRecord {
  const lastSuccess = succeeded.length === 0 ? undefined : latest(succeeded.map(finishedAt));
  const ends = failed.map(finishedAt).filter((end) => lastSuccess === undefined || end > lastSuccess);
  const before = lastSuccess === undefined ? record.failures : 0;
  if (ends.length === 0) return lastSuccess === undefined ? record : noFailures;
  return { failures: before + ends.length, lastFailure: latest(ends) };
}

/** Milliseconds until the next pod may be created: 10 s after the first failure, twice that after each further one. */
export function remainingBackoff({ failures, lastFailure }: BackoffRecord, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, lastFailure + backoff.delay(failures - 1) - now);
}

/** Milliseconds until the index of this failed pod may have another one. */
export function remainingIndexBackoff(pod: Pod | undefined, now: number): number {
  if (pod === undefined) return 0;
  const failures = indexFailures(pod) + ignoredIndexFailures(pod) + 1;
  return remainingBackoff({ failures, lastFailure: finishedAt(pod) }, now);
}

function latest(times: readonly number[]): number {
  return times.reduce((last, time) => Math.max(last, time), -Infinity);
}
