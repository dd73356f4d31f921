import type { Random } from '@binnacle/apimachinery/clock';
import { Node } from '@binnacle/client/kinds/core/v1';
import type { ClusterState } from '../history/index.js';
import type { NodeChoice } from '../scenario/index.js';

/** The names of nodes that an action means. A drawn node is one that the cluster has. */
export function chooseNodes({ nodes, any = 0 }: NodeChoice, state: ClusterState, random: Random): readonly string[] {
  if (nodes !== undefined) return nodes;
  const left = state.list(Node).map(({ metadata }) => metadata.name ?? '');
  const drawn: string[] = [];
  while (drawn.length < any && left.length > 0)
    drawn.push(...left.splice(Math.floor(random.number() * left.length), 1));
  return drawn;
}
