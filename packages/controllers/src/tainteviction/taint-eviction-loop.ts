import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { objectKey } from '@binnacle/client/cache';
import { Controller, type Predicate, type ReconcileResult } from '@binnacle/client/controller';
import type { EventRecorder } from '@binnacle/client/events';
import { Node, Pod, type Taint } from '@binnacle/client/kinds/core/v1';
import { evictPod, nodeIndexes, type OwnerContext, podsOnNode, reconcileOwner } from '../common/index.js';
import type { CreateLoop } from '../loop/index.js';
import { planEviction } from './plan.js';

/** Upstream: `UpdateWorkerSize`. */
const CONCURRENCY = 8;

const CAUSE = {
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
};

/** Evictions that are planned for later, in milliseconds since the epoch, by `namespace/name`. */
type PlannedEvictions = Map<string, { readonly uid: string | undefined; readonly due: number }>;

interface Parts {
  readonly recorder: EventRecorder;
  readonly planned: PlannedEvictions;
}

/** Upstream: kubernetes `pkg/controller/tainteviction`. */
export const createTaintEvictionLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'taint-eviction-controller' });
  const pods = informers.informer(Pod, { indexes: nodeIndexes });
  const nodes = informers.informer(Node);
  const planned: PlannedEvictions = new Map();
  const reconcile = reconcileOwner({ resource: Pod, writes: [], informers }, (pod, owner) =>
    reconcilePod(pod, owner, { recorder, planned }),
  );
  const requestFor = ({ metadata }: Pod) => ({ namespace: metadata.namespace, name: metadata.name ?? '' });
  return new Controller({
    name: 'noexec_taint_pod',
    watches: [
      {
        resource: Pod,
        predicate: (change) => {
          if (change.type === 'delete') return planned.has(objectKey(change.object));
          if (change.type === 'update' && !changesNodeOrTolerations(change.before, change.object)) return false;
          const node = nodes.lister.get(change.object.spec?.nodeName ?? '');
          return node !== undefined && evictingTaints(node).length > 0;
        },
        map: (pod) => [requestFor(pod)],
      },
      {
        resource: Node,
        predicate: changesEvictingTaints,
        map: ({ metadata: { name = '' } }) => podsOnNode(pods.indexer, name).map(requestFor),
      },
    ],
    reads: [{ resource: Pod, indexes: nodeIndexes }],
    concurrency: CONCURRENCY,
    reconcile: async (request, reconcileContext) => {
      const key = objectKey({ metadata: request });
      const known = planned.get(key);
      if (known !== undefined && pods.indexer.get(key)?.metadata.uid !== known.uid) {
        planned.delete(key);
        announceCancelled(request, recorder);
      }
      return reconcile(request, reconcileContext);
    },
  }).bind(context);
};

async function reconcilePod(pod: Pod, context: OwnerContext, parts: Parts): Promise<ReconcileResult | void> {
  const { lister, clock } = context;
  const { planned, recorder } = parts;
  const key = objectKey(pod);
  const now = clock.now();
  const node = lister(Node).get(pod.spec?.nodeName ?? '');
  const taints = node === undefined ? undefined : evictingTaints(node);
  const { cancelled, due } = planEviction({ pod, taints, planned: planned.get(key)?.due, now });
  if (cancelled) announceCancelled(pod.metadata, recorder);
  if (due !== undefined && due > now) {
    planned.set(key, { uid: pod.metadata.uid, due });
    return { requeueAfter: due - now };
  }
  if (due !== undefined && pod.metadata.deletionTimestamp === undefined) await evict(pod, context, parts);
  planned.delete(key);
  return undefined;
}

async function evict(pod: Pod, context: OwnerContext, { recorder }: Parts): Promise<void> {
  const { generation } = pod.metadata;
  const cause = { ...CAUSE, ...(generation === undefined ? {} : { observedGeneration: generation }) };
  if (!(await evictPod(context, pod, cause))) return;
  const message = `Marking for deletion Pod ${objectKey(pod)}`;
  recorder.event(subjectOf(pod.metadata), 'Normal', 'TaintManagerEviction', message);
}

interface PodName {
  readonly namespace?: string | undefined;
  readonly name?: string;
}

function announceCancelled({ namespace = '', name = '' }: PodName, recorder: EventRecorder): void {
  const message = `Cancelling deletion of Pod ${namespace}/${name}`;
  recorder.event(subjectOf({ namespace, name }), 'Normal', 'TaintManagerEviction', message);
}

/** The pod that an event is about. Like upstream, it has no uid. */
function subjectOf({ namespace = '', name = '' }: PodName) {
  return { apiVersion: 'v1', kind: 'Pod', namespace, name };
}

function evictingTaints({ spec }: Node): Taint[] {
  return (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}

const changesEvictingTaints: Predicate<Node> = (change) => {
  if (change.type === 'create') return evictingTaints(change.object).length > 0;
  if (change.type !== 'update') return false;
  return !deepEqual(asJson(evictingTaints(change.before)), asJson(evictingTaints(change.object)));
};

function changesNodeOrTolerations(before: Pod, after: Pod): boolean {
  return (
    before.spec?.nodeName !== after.spec?.nodeName ||
    !deepEqual(asJson(before.spec?.tolerations ?? []), asJson(after.spec?.tolerations ?? []))
  );
}
