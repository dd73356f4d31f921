import { MAX_NODE_SCORE, type NodeState, type Plugin, type PodFacts, skip, success } from '../../framework/index.js';
import { scoredByDefault } from './scoring-strategy.js';

const HALF = MAX_NODE_SCORE / 2;

/** The resources that nodes are compared for. Default: cpu and memory. */
export interface BalancedAllocationArgs {
  readonly resources?: readonly string[];
}

/** Prefers nodes whose resources the pod makes used more evenly. */
export function nodeResourcesBalancedAllocation({
  resources = scoredByDefault.map(({ name }) => name),
}: BalancedAllocationArgs = {}): Plugin {
  return {
    name: 'NodeResourcesBalancedAllocation',
    preScore: ({ pod }) => (resources.every((name) => (pod.requests.get(name) ?? 0) === 0) ? skip : success),
    score: ({ pod }, node) => {
      // A device that the pod does not ask for does not count.
      const compared = resources.filter((name) => !name.includes('/') || (pod.requests.get(name) ?? 0) > 0);
      return HALF + Math.trunc((HALF + balance(compared, node, pod) - balance(compared, node, undefined)) / 2);
    },
  };
}

/** From 0 to 100, which means that the same share of all resources is used. */
function balance(resources: readonly string[], node: NodeState, added: PodFacts | undefined): number {
  const shares: number[] = [];
  for (const name of resources) {
    const capacity = node.allocatable.get(name) ?? 0;
    const used = node.requested(name) + (added?.requests.get(name) ?? 0);
    if (capacity !== 0) shares.push(Math.min(1, used / capacity));
  }
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length;
  return Math.floor((1 - (shares.length < 2 ? 0 : Math.sqrt(variance))) * MAX_NODE_SCORE);
}
