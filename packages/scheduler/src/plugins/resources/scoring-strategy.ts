import { MAX_NODE_SCORE, type NodeState, type PodFacts } from '../../framework/index.js';

/** A resource that counts in a score, with its weight. */
export interface WeightedResource {
  readonly name: string;
  readonly weight: number;
}

/** A score from 0 to 10 at a utilization from 0 to 100. */
export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

/** How requests become a score. A shape has its points by rising utilization. */
export type ScoringStrategy =
  | { readonly type: 'LeastAllocated' | 'MostAllocated'; readonly resources: readonly WeightedResource[] }
  | {
      readonly type: 'RequestedToCapacityRatio';
      readonly resources: readonly WeightedResource[];
      readonly shape: readonly ShapePoint[];
    };

export const scoredByDefault: readonly WeightedResource[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** Prefers the nodes with the most room. */
export const leastAllocated: ScoringStrategy = { type: 'LeastAllocated', resources: scoredByDefault };

/** A score of a shape, scaled to that of a node. */
const SCALE = MAX_NODE_SCORE / 10;

/**
 * The score of a node if it had the pod. A resource that the node lacks, and one beyond cpu and memory that the pod does not
 * ask for, do not count. Upstream: kubernetes `pkg/scheduler/framework/plugins/noderesources`.
 */
export function scoreResources(strategy: ScoringStrategy, pod: PodFacts, node: NodeState): number {
  const isRatio = strategy.type === 'RequestedToCapacityRatio';
  let [total, weights] = [0, 0];
  for (const { name, weight } of strategy.resources) {
    const capacity = node.allocatable.get(name) ?? 0;
    const wanted = pod.scoredRequests.get(name) ?? 0;
    if (capacity === 0 || (wanted === 0 && name.includes('/'))) continue;
    const score = scoreOf(strategy, node.scoredRequested(name) + wanted, capacity);
    // Upstream leaves out resources with the score 0 only for this strategy.
    if (isRatio && score <= 0) continue;
    total += score * weight;
    weights += weight;
  }
  if (weights === 0) return 0;
  return isRatio ? Math.round(total / weights) : Math.floor(total / weights);
}

function scoreOf(strategy: ScoringStrategy, requested: number, capacity: number): number {
  switch (strategy.type) {
    case 'LeastAllocated':
      return requested > capacity ? 0 : Math.floor(((capacity - requested) * MAX_NODE_SCORE) / capacity);
    case 'MostAllocated':
      return Math.floor((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity);
    case 'RequestedToCapacityRatio':
      return onShape(strategy.shape, requested > capacity ? 100 : Math.floor((requested * 100) / capacity));
  }
}

/** The score on the lines between the points, cut to an integer. */
function onShape(shape: readonly ShapePoint[], utilization: number): number {
  const index = shape.findIndex((point) => utilization <= point.utilization);
  const [next, previous] = [shape.at(index), shape[index - 1]];
  if (next === undefined) return 0;
  if (index <= 0 || previous === undefined) return next.score * SCALE;
  const rise = (next.score - previous.score) * SCALE * (utilization - previous.utilization);
  return previous.score * SCALE + Math.trunc(rise / (next.utilization - previous.utilization));
}
