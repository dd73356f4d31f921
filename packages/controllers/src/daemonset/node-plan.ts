import type { DaemonSet } from '@binnacle/client/kinds/apps/v1';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { isPodAvailable, isPodReady, type PlannedEvent } from '../common/index.js';
import { HASH, isDeleted, oldestFirst } from './daemon-pods.js';
import { allowsSurge } from './limits.js';
import type { NodeFit } from './node-fit.js';

/** The changes of one node, apart from rolling updates. */
export interface NodePlan {
  readonly create: boolean;
  readonly remove: readonly Pod[];
  readonly events: readonly PlannedEvent[];
  /** Milliseconds until a failed pod may be replaced. */
  readonly requeueAfter?: number;
}

export interface SeenNode {
  readonly set: DaemonSet;
  readonly node: Node;
  readonly fit: NodeFit;
  /** The set's pods on the node; undefined if there are none. */
  readonly pods: readonly Pod[] | undefined;
  readonly hash: string;
  /** Milliseconds for which a failed pod of this node must stay. */
  readonly backoff: number;
  readonly now: number;
}

const nothing: NodePlan = { create: false, remove: [], events: [] };

/** Upstream: `podsShouldBeOnNode`. */
export function planNode(seen: SeenNode): NodePlan {
  const { pods } = seen;
  const { shouldRun, mayStay } = seen.fit;
  if (shouldRun && pods === undefined) return { ...nothing, create: true };
  if (mayStay) return planStay(seen, pods ?? [], shouldRun);
  return { ...nothing, remove: (pods ?? []).filter((pod) => !isDeleted(pod)) };
}

function planStay(seen: SeenNode, pods: readonly Pod[], shouldRun: boolean): NodePlan {
  const present = pods.filter((pod) => !isDeleted(pod));
  const failed = present.filter(({ status }) => status?.phase === 'Failed');
  const succeeded = present.filter(({ status }) => status?.phase === 'Succeeded');
  const running = oldestFirst(present.filter((pod) => !failed.includes(pod) && !succeeded.includes(pod)));
  const mustWait = failed.length > 0 && seen.backoff > 0;
  // The first failed pod starts a backoff, which the others of the node then wait for.
  const replaced = mustWait ? [] : failed.slice(0, 1);
  return {
    create: allowsSurge(seen.set) && shouldRun && running.length === 0,
    remove: [...replaced, ...succeeded, ...surplus(seen, running)],
    events: [...replaced.map((pod) => failedEvent(seen, pod)), ...succeeded.map((pod) => succeededEvent(seen, pod))],
    ...(mustWait ? { requeueAfter: seen.backoff } : {}),
  };
}

/** Running pods beyond the one, or with surge the two, that a node may have. `running`: the oldest first. */
function surplus({ set, hash, now }: SeenNode, running: readonly Pod[]): readonly Pod[] {
  if (running.length <= 1) return [];
  if (!allowsSurge(set)) return running.slice(1);
  const isNew = ({ metadata }: Pod) => metadata.labels?.[HASH] === hash;
  const kept = running.find(isNew);
  const old = running.find((pod) => !isNew(pod));
  const others = running.filter((pod) => pod !== kept && pod !== old);
  if (kept === undefined || old === undefined) return others;
  const isReplaced = !isPodReady(old) || isPodAvailable(kept, set.spec?.minReadySeconds ?? 0, now);
  return isReplaced ? [...others, old] : others;
}

function failedEvent({ node }: SeenNode, pod: Pod): PlannedEvent {
  const message = `Found failed daemon pod ${keyOf(pod)} on node ${node.metadata.name ?? ''}, will try to kill it`;
  return { type: 'Warning', reason: 'FailedDaemonPod', message };
}

function succeededEvent({ node }: SeenNode, pod: Pod): PlannedEvent {
  const message = `Found succeeded daemon pod ${keyOf(pod)} on node ${node.metadata.name ?? ''}, will try to delete it`;
  return { type: 'Normal', reason: 'SucceededDaemonPod', message };
}

function keyOf({ metadata: { namespace = '', name = '' } }: Pod): string {
  return `${namespace}/${name}`;
}
