import type { PathElement } from './path-element.js';

/** Where an item of a merged list comes from. */
export type MergeStep =
  | { readonly from: 'live'; readonly index: number }
  | { readonly from: 'configuration'; readonly element: PathElement };

/**
 * The order of a merged list: items of the configuration stand in its order, and the others stay where they stood among
 * them. `live` may have a step twice, and then undefined stands for items that cannot be addressed.
 * Upstream: structured-merge-diff `mergingWalker.visitListItems`.
 */
export function mergeOrder(
  live: readonly (PathElement | undefined)[],
  configured: readonly PathElement[],
): MergeStep[] {
  const inConfiguration = new Set<PathElement | undefined>(configured);
  const inLive = new Set(live);
  const shared = configured.filter((element) => inLive.has(element));
  const merged = new Set<PathElement | undefined>();
  const steps: MergeStep[] = [];
  let nextShared = 0;
  let at = 0;
  let next = 0;
  while (at < live.length || next < configured.length) {
    const element = live[at];
    const wanted = configured[next];
    if (at < live.length) {
      if (!inConfiguration.has(element)) {
        steps.push({ from: 'live', index: at++ });
        continue;
      }
      // Items of both that stand elsewhere in the configuration are put there when it comes to them.
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
