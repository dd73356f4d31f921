import { amountsOf, podAmountsWithOverhead, sumOf } from '@binnacle/api/quota';
import type { Quantity } from '@binnacle/apimachinery/quantity';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { type ClusterState, isOf } from '../history/index.js';
import type { Invariant } from './invariant.js';

type Amounts = ReadonlyMap<string, Quantity>;

const COUNTED = ['cpu', 'memory', 'ephemeral-storage'];

/** The pods that are bound to a node and have not ended request no more than the node has, at each binding. */
export function nodeCapacity(): Invariant {
  /** Requests by node and UID. */
  const bound = new Map<string, Map<string, Amounts>>();
  return {
    name: 'node-capacity',
    check: (state, { before, after, object }) => {
      if (!isOf(Pod, object)) return undefined;
      const { nodeName } = object.spec ?? {};
      if (nodeName === undefined) return undefined;
      const pods = bound.get(nodeName) ?? new Map<string, Amounts>();
      bound.set(nodeName, pods);
      const { uid = '' } = object.metadata;
      const { phase } = object.status ?? {};
      if (after === undefined || phase === 'Succeeded' || phase === 'Failed') {
        pods.delete(uid);
        return undefined;
      }
      if (pods.has(uid)) return undefined;
      pods.set(uid, podAmountsWithOverhead(object.spec ?? { containers: [] }, 'requests'));
      // A pod that someone else has put on its node is the kubelet's to reject.
      const isBinding = before !== undefined && isOf(Pod, before) && before.spec?.nodeName === undefined;
      return isBinding ? excess(nodeName, pods, state) : undefined;
    },
  };
}

function excess(name: string, pods: ReadonlyMap<string, Amounts>, state: ClusterState): string | undefined {
  const node = state.get(Node, name);
  if (node === undefined) return undefined;
  const has = amountsOf(node.status?.allocatable);
  let taken: Amounts = new Map();
  for (const amounts of pods.values()) taken = sumOf(taken, amounts);
  for (const resource of COUNTED) {
    const [wanted, present] = [taken.get(resource), has.get(resource)];
    if (wanted === undefined || present === undefined || wanted.compare(present) <= 0) continue;
    return `the pods of node ${name} request ${wanted.toString()} of ${resource}, and it has ${present.toString()}`;
  }
  const places = Number(node.status?.allocatable?.['pods'] ?? Number.POSITIVE_INFINITY);
  return pods.size > places ? `node ${name} has ${pods.size} pods, and places for ${places}` : undefined;
}
