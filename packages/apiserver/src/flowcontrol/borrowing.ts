import type { Demand } from '../fairqueuing/index.js';
import { allocate } from './allocation.js';
import type { Limits } from './limits.js';

/** How often current limits follow the demand, in milliseconds. Upstream: `borrowingAdjustmentPeriod`. */
export const ADJUSTMENT_MS = 10_000;
/** The factor for one period. With it, the smoothed demand falls to a half within five minutes. */
const SMOOTHING = 0.977;

export interface LevelDemand extends Limits {
  readonly isExempt: boolean;
  /** The most seats that it could have used at a time in the last period. */
  readonly highest: number;
  readonly smoothed: number;
}

export interface CurrentLimit {
  readonly seats: number;
  /** The demand that the division aims to meet. */
  readonly target: number;
}

/** The smoothed demand after some periods of this demand: it rises at once and falls slowly. */
export function smoothed(before: number, { average, deviation }: Demand, periods = 1): number {
  const envelope = average + deviation;
  const kept = SMOOTHING ** periods;
  return Math.max(envelope, kept * before + (1 - kept) * envelope);
}

/**
 * The seats that each level may occupy until the next adjustment. Levels lend what they do not need, within their limits.
 * Exempt levels get what they use, and leave less to the others. Upstream: `updateBorrowingLocked`.
 */
export function currentLimits(levels: readonly LevelDemand[]): {
  readonly limits: readonly CurrentLimit[];
  readonly fairFraction: number;
} {
  const needed = levels.map(neededSeats);
  const sumOf = (pick: (level: LevelDemand, index: number) => number): number =>
    levels.reduce((sum, level, index) => sum + (level.isExempt ? 0 : pick(level, index)), 0);
  const total = levels.reduce((sum, { nominal }) => sum + nominal, 0);
  const exempt = levels.reduce((sum, { isExempt }, index) => sum + (isExempt ? (needed[index] ?? 0) : 0), 0);
  const least = sumOf(({ minimum }) => minimum);
  const wanted = sumOf((_, index) => needed[index] ?? 0);
  const remaining = total - exempt;
  const targets = levels.map(({ smoothed: target }, index) => Math.max(needed[index] ?? 0, target));
  if (remaining <= wanted) {
    const fraction = remaining <= least ? 0 : (remaining - least) / (wanted - least);
    const limits = levels.map(({ isExempt, minimum }, index) => {
      const need = needed[index] ?? 0;
      return {
        seats: isExempt ? need : minimum + Math.round((need - minimum) * fraction),
        target: targets[index] ?? 0,
      };
    });
    return { limits, fairFraction: 0 };
  }
  const claims = levels.flatMap(({ isExempt, maximum }, index) =>
    isExempt ? [] : [{ lower: needed[index] ?? 0, upper: maximum, target: targets[index] ?? 0 }],
  );
  const { parts, fairFraction } = allocate(total, claims);
  const left = parts.values();
  const limits = levels.map(({ isExempt }, index) => ({
    seats: isExempt ? (needed[index] ?? 0) : Math.round(left.next().value ?? 0),
    target: targets[index] ?? 0,
  }));
  return { limits, fairFraction };
}

/** The least number of seats of a level: it does not lend seats that it has just used. */
function neededSeats({ isExempt, nominal, minimum, highest }: LevelDemand): number {
  return Math.max(minimum, isExempt ? highest : Math.min(nominal, highest));
}
