import { MAX_NODE_SCORE, type NodeState, type Plugin, success, unresolvable } from '@binnacle/scheduler';

/** The most that a node of the pod may cost. */
const MAX_PRICE = 'example.com/max-price';

/** Rejects nodes that are too expensive for the pod, and prefers the cheapest of the others. A node has its price in a label. */
export function price(args: unknown): Plugin {
  const label = labelOf(args);
  const priceOf = ({ labels }: NodeState) => Number(labels[label] ?? Infinity);
  return {
    name: 'Price',
    // A new label of a node may let a rejected pod pass.
    interests: [{ resource: 'Node', actions: ['Add', 'Update'] }],
    filter({ pod }, node) {
      const limit = Number(pod.pod.metadata.annotations?.[MAX_PRICE] ?? Infinity);
      // To end other pods makes no node cheaper.
      return priceOf(node) <= limit ? success : unresolvable(`node(s) cost more than ${limit}`);
    },
    score: (_, node) => Math.min(priceOf(node), Number.MAX_SAFE_INTEGER),
    normalizeScore(_, scores) {
      const cheapest = Math.min(...scores.map(({ score }) => score));
      for (const each of scores) each.score = Math.floor((MAX_NODE_SCORE * (cheapest + 1)) / (each.score + 1));
    },
  };
}

function labelOf(args: unknown): string {
  if (typeof args !== 'object' || args === null || !('label' in args) || typeof args.label !== 'string') {
    throw new Error('Price needs the argument label, a text');
  }
  return args.label;
}
