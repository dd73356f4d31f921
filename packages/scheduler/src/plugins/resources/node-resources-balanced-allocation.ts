import { MAX_NODE_SCORE, type NodeState, type Plugin, type PodFacts, skip, success } from '../../framework/index.js';
import { scoredByDefault } from './scoring-strategy.js';

const HALF = MAX_NODE_SCORE / 2;

/** The resources that nodes are compared for. Default: cpu and memory. */
export interface BalancedAllocationArgs {
  readonly resources?: readonly string[];
}

/** Prefers nodes whose resources are used more evenly with the pod. */
export function nodeResourcesBalancedAllocation({
  resources = scoredByDefault.map(({ name }) => name),
}: BalancedAllocationArgs = {}): Plugin {
  return {
    name: 'NodeResourcesBalancedAllocation',
    preScore: ({ pod }) => (resources.every((name) => (pod.requests.get(name) ?? 0) === 0) ? skip : success),
    score: ({ pod }, node) => {
      const [before, after] = [balance(resources, pod, node, 0), balance(resources, pod, node, 1)];
      return HALF + Math.trunc((HALF + after - before) / 2);
    },
  };
}

/** How evenly the resources of a node with `times` more such pods are used: 0 to 100, where 100 means the same share of each. */
function balance(resources: readonly string[], pod: PodFacts, node: NodeState, times: 0 | 1): number {
  let [count, sum] = [0, 0];
  for (const name of resources) {
    const share = shareOf(name, pod, node, times);
    if (share === undefined) continue;
    count++;
    sum += share;
  }
  if (count < 2) return MAX_NODE_SCORE;
  const mean = sum / count;
  let squares = 0;
  for (const name of resources) squares += ((shareOf(name, pod, node, times) ?? mean) - mean) ** 2;
  return Math.floor((1 - Math.sqrt(squares / count)) * MAX_NODE_SCORE);
}

/** The used share of a resource. A resource that the node lacks, and a device that the pod does not ask for, do not count. */
function shareOf(resource: string, { requests }: PodFacts, node: NodeState, times: 0 | 1): number | undefined {
  const wanted = requests.get(resource) ?? 0;
  const capacity = node.allocatable.get(resource) ?? 0;
  if (capacity === 0 || (wanted === 0 && resource.includes('/'))) return undefined;
  return Math.min(1, (node.requested(resource) + wanted * times) / capacity);
}
