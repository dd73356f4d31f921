import type { Random } from '@binnacle/apimachinery/clock';
import { Node } from '@binnacle/client/kinds/core/v1';
import type { ClusterState } from '../history/index.js';
import type { NodeChoice } from '../scenario/index.js';
import { draw } from './draw.js';

/** The names of nodes that an action means. A drawn node is one that the cluster has. */
export function chooseNodes({ nodes, any = 0 }: NodeChoice, state: ClusterState, random: Random): readonly string[] {
  if (nodes !== undefined) return nodes;
  return draw(
    state.list(Node).map(({ metadata: { name = '' } }) => name),
    any,
    random,
  );
}
