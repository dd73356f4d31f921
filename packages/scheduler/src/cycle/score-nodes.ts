import type { Random } from '@binnacle/apimachinery/clock';
import type { Steps } from '@binnacle/apimachinery/work';
import { pick } from '@binnacle/apimachinery/clock';
import { type Attempt, inSteps, type NodeScore, type NodeState } from '../framework/index.js';
import type { Profile } from './profile.js';

/** The sum of the weighted scores of each node, in the order of the nodes. */
export function* scoreNodes(profile: Profile, attempt: Attempt, nodes: readonly NodeState[]): Steps<number[]> {
  for (const plugin of profile.with('preScore')) {
    const computed = plugin.preScore?.(attempt, nodes);
    if (computed !== undefined && (yield* inSteps(computed)).code === 'Skip')
      attempt.state.skippedScores.add(plugin.name);
  }
  const totals = nodes.map(() => 0);
  for (const plugin of profile.with('score')) {
    if (plugin.score === undefined || attempt.state.skippedScores.has(plugin.name)) continue;
    const weight = profile.weightOf(plugin);
    const scores: NodeScore[] = [];
    for (const node of nodes) {
      scores.push({ node, score: plugin.score(attempt, node) });
      yield;
    }
    plugin.normalizeScore?.(attempt, scores);
    for (const [index, { score }] of scores.entries()) totals[index] = (totals[index] ?? 0) + score * weight;
  }
  return totals;
}

/** One of the nodes with the highest score, by chance. */
export function selectNode(
  nodes: readonly NodeState[],
  scores: readonly number[],
  random: Random,
): NodeState | undefined {
  const highest = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  const best = nodes.filter((_, index) => scores[index] === highest);
  return best.length === 1 ? best[0] : pick(random, best);
}
