import type { Pace, Steps } from '../../work/index.js';
import type { PathElement } from '../fieldsets/path-element.js';

/** The source of an item in a merged list. */
export type MergeStep =
  | { readonly from: 'live'; readonly index: number }
  | { readonly from: 'configuration'; readonly element: PathElement };

/**
 * The order of a merged list: configured items keep their order, and other items keep their position relative to them.
 * `live` may repeat an element; undefined marks items without a key. Upstream: structured-merge-diff
 * `mergingWalker.visitListItems`.
 */
export function* mergeOrder(
  live: readonly (PathElement | undefined)[],
  configured: readonly PathElement[],
  pace: Pace,
): Steps<MergeStep[]> {
  const inConfiguration = yield* setInSteps<PathElement | undefined>(configured, pace);
  const inLive = yield* setInSteps(live, pace);
  const shared = configured.filter((element) => inLive.has(element));
  const merged = new Set<PathElement | undefined>();
  const steps: MergeStep[] = [];
  let nextShared = 0;
  let at = 0;
  let next = 0;
  while (at < live.length || next < configured.length) {
    if (pace.endsStep()) yield;
    const element = live[at];
    const wanted = configured[next];
    if (at < live.length) {
      if (!inConfiguration.has(element)) {
        steps.push({ from: 'live', index: at++ });
        continue;
      }
      // A shared item at another position in the configuration is inserted when the configuration reaches it.
      const isNext = element === wanted;
      const waited = shared[nextShared];
      if (!isNext && wanted !== undefined && waited !== undefined && waited !== element) {
        at++;
        continue;
      }
      if (isNext || merged.has(element)) at++;
    }
    if (wanted === undefined) continue;
    merged.add(wanted);
    steps.push({ from: 'configuration', element: wanted });
    next++;
    if (shared[nextShared] === wanted) nextShared++;
  }
  return steps;
}

function* setInSteps<T>(items: Iterable<T>, pace: Pace): Steps<Set<T>> {
  const set = new Set<T>();
  for (const item of items) {
    if (pace.endsStep()) yield;
    set.add(item);
  }
  return set;
}
