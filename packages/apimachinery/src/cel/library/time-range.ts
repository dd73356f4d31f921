import { EvaluationError } from '../evaluation-error.js';
import { Duration, Timestamp } from '../values.js';

const SECOND = 1_000_000_000n;
/** The years 1 to 9999. */
const EARLIEST = -62_135_596_800n * SECOND;
const LATEST = 253_402_300_800n * SECOND;
const LONGEST = 2n ** 63n - 1n;

/** A timestamp, or a range error. `offset`: see {@link Timestamp}. */
export function timestampOf(nanoseconds: bigint, offset = 0): Timestamp {
  if (nanoseconds < EARLIEST || nanoseconds >= LATEST) throw new EvaluationError('timestamp overflow');
  return new Timestamp(nanoseconds, offset);
}

/** A duration, or an error if its nanoseconds exceed 64 bits. */
export function durationOf(nanoseconds: bigint): Duration {
  if (nanoseconds > LONGEST || nanoseconds < -LONGEST - 1n) throw new EvaluationError('duration overflow');
  return new Duration(nanoseconds);
}
