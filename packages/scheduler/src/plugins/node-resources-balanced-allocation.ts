import { MAX_NODE_SCORE, type NodeState, type Plugin, type PodFacts, skip, success } from '../framework/index.js';
import { SCORED_RESOURCES } from './node-resources-fit.js';

const HALF = MAX_NODE_SCORE / 2;

/** Prefers nodes whose resources the pod makes used more evenly. */
export const nodeResourcesBalancedAllocation: Plugin = {
  name: 'NodeResourcesBalancedAllocation',
  preScore: ({ pod }) => (SCORED_RESOURCES.every((name) => (pod.requests.get(name) ?? 0) === 0) ? skip : success),
  score: ({ pod }, node) => HALF + Math.trunc((HALF + balance(node, pod) - balance(node, undefined)) / 2),
};

/** From 0 to 100, which means that the same share of all resources is used. */
function balance(node: NodeState, added: PodFacts | undefined): number {
  const shares: number[] = [];
  for (const name of SCORED_RESOURCES) {
    const capacity = node.allocatable.get(name) ?? 0;
    const used = node.requested(name) + (added?.requests.get(name) ?? 0);
    if (capacity !== 0) shares.push(Math.min(1, used / capacity));
  }
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length;
  return Math.floor((1 - (shares.length < 2 ? 0 : Math.sqrt(variance))) * MAX_NODE_SCORE);
}
