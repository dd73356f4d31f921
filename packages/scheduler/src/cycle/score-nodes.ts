import type { Random } from '@binnacle/apimachinery/clock';
import { pick } from '@binnacle/apimachinery/clock';
import type { Steps } from '@binnacle/apimachinery/work';
import { type Attempt, inSteps, type NodeScore, type NodeState } from '../framework/index.js';
import type { Profile } from './profile.js';

/** A plugin looks at so many nodes before other work of the process may run: some microseconds each. */
export const NODES_PER_STEP = 8;

/** The sum of the weighted scores of each node, in the order of the nodes. */
export function* scoreNodes(profile: Profile, attempt: Attempt, nodes: readonly NodeState[]): Steps<number[]> {
  for (const plugin of profile.with('preScore')) {
    const computed = plugin.preScore?.(attempt, nodes);
    if (computed !== undefined && (yield* inSteps(computed)).code === 'Skip')
      attempt.state.skippedScores.add(plugin.name);
  }
  const totals = nodes.map(() => 0);
  const scores: readonly NodeScore[] = nodes.map((node) => ({ node, score: 0 }));
  for (const plugin of profile.with('score')) {
    if (plugin.score === undefined || attempt.state.skippedScores.has(plugin.name)) continue;
    const weight = profile.weightOf(plugin);
    for (let from = 0; from < scores.length; from += NODES_PER_STEP) {
      for (const each of scores.slice(from, from + NODES_PER_STEP)) each.score = plugin.score(attempt, each.node);
      yield;
    }
    plugin.normalizeScore?.(attempt, scores);
    for (let index = 0; index < scores.length; index++)
      totals[index] = (totals[index] ?? 0) + (scores[index]?.score ?? 0) * weight;
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
