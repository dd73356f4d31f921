import type { SuccessPolicy } from '@binnacle/client/kinds/batch/v1';
import { countCommonIndexes, countIndexes, type Intervals, parseIndexes } from './indexes.js';

/** Why the Job has succeeded before all its indexes have; undefined if it has not. Upstream: `matchSuccessPolicy`. */
export function successBy(
  policy: SuccessPolicy | undefined,
  completions: number,
  succeeded: Intervals,
): string | undefined {
  if (policy === undefined || succeeded.length === 0) return undefined;
  const met = policy.rules.findIndex(({ succeededIndexes, succeededCount = Infinity }) => {
    if (succeededIndexes === undefined) return countIndexes(succeeded) >= succeededCount;
    const required = parseIndexes(succeededIndexes, completions);
    const common = countCommonIndexes(required, succeeded);
    return required.length > 0 && (common === countIndexes(required) || common >= succeededCount);
  });
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}
