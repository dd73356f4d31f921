import { MAX_NODE_SCORE, type NodeScore } from '../framework/index.js';

/** Stretches the scores so that the highest becomes the maximum. `isReversed`: the lowest is the best. Upstream: `helper.DefaultNormalizeScore`. */
export function stretch(scores: readonly NodeScore[], isReversed = false): void {
  const highest = scores.reduce((most, { score }) => Math.max(most, score), 0);
  for (const each of scores) {
    const stretched = highest === 0 ? 0 : Math.floor((MAX_NODE_SCORE * each.score) / highest);
    each.score = isReversed ? MAX_NODE_SCORE - stretched : stretched;
  }
}
