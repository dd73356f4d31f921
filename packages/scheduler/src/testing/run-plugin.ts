import { finish } from '@binnacle/apimachinery/work';
import {
  inSteps,
  type NodeScore,
  type NodeState,
  type Plugin,
  type PodFacts,
  success,
  type WaitingSteps,
} from '../framework/index.js';
import { attemptOf, type SnapshotTraits } from './builders.js';

/** `fits`, or the code and the reasons, of each node. A rejection before the nodes is that of all of them. */
export function answersOf(
  plugin: Plugin,
  pod: PodFacts,
  nodes: readonly NodeState[],
  traits: SnapshotTraits = {},
): Record<string, string> {
  const attempt = attemptOf(pod, nodes, traits);
  const before = finish(inSteps(plugin.preFilter?.(attempt) ?? { status: success }));
  const answers = nodes.map((node) => {
    const isDecided = before.status.code !== 'Success';
    const status = isDecided ? before.status : finish(inSteps(plugin.filter?.(attempt, node) ?? before.status));
    const isLeftOut = before.nodeNames?.has(node.name) === false;
    const fits = status.code === 'Success' || status.code === 'Skip';
    const text = fits ? 'fits' : `${status.code}: ${status.reasons.join(', ')}`;
    return [node.name, isLeftOut ? 'left out' : text] as const;
  });
  return Object.fromEntries(answers);
}

/** The final score of each node; undefined if the plugin leaves them alike. */
export function scoresOf(
  plugin: Plugin,
  pod: PodFacts,
  nodes: readonly NodeState[],
  traits: SnapshotTraits = {},
): Record<string, number> | undefined {
  const attempt = attemptOf(pod, nodes, traits);
  if (finish(inSteps(plugin.preScore?.(attempt, nodes) ?? success)).code === 'Skip') return undefined;
  const scores: NodeScore[] = nodes.map((node) => ({ node, score: plugin.score?.(attempt, node) ?? 0 }));
  plugin.normalizeScore?.(attempt, scores);
  return Object.fromEntries(scores.map(({ node, score }) => [node.name, score]));
}

/** Runs a cycle that asks no extender. */
export function finishWithoutWaiting<T>(steps: WaitingSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value !== undefined) throw new Error('the computation waits');
  }
}
