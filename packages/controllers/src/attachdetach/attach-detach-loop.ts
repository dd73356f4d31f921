import { Controller, type ReconcileContext, type ReconcileRequest } from '@binnacle/client/controller';
import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { CSIDriver, VolumeAttachment } from '@binnacle/client/kinds/storage/v1';
import {
  claimNames,
  isNodeReady,
  LatestObjects,
  nodeIndexes,
  podClaimIndexes,
  podsNaming,
  reconcileOwner,
} from '../common/index.js';
import type { CreateLoop, LoopContext } from '../loop/index.js';
import { attachmentIndexes, BY_NODE } from './attachments.js';
import { NodeMemory } from './node-memory.js';
import { reconcileLostNode } from './reconcile-lost-node.js';
import { reconcileNode } from './reconcile-node.js';
import { needsVolumes } from './wanted.js';

/** Requests are nodes. One worker does all, so that no two nodes get a volume that only one may have. */
export const createAttachDetachLoop: CreateLoop = (context) => {
  const { informers, events } = context;
  const recorder = events.recorder({ component: 'attachdetach-controller' });
  const attachments = new LatestObjects(informers.informer(VolumeAttachment, { indexes: attachmentIndexes }));
  const memories = new Map<string, NodeMemory>();
  const memoryOf = (name: string) => {
    const memory = memories.get(name) ?? new NodeMemory();
    memories.set(name, memory);
    return memory;
  };
  const gone = async ({ name }: ReconcileRequest, reconcileContext: ReconcileContext) => {
    const result = await reconcileLostNode(name, reconcileContext, memoryOf(name));
    // The volumes that the node used are remembered until the last one is detached.
    if (!attachments.candidates(BY_NODE, name).some(({ spec }) => spec.nodeName === name)) memories.delete(name);
    return result;
  };
  const requests = requestsOf(context);
  return new Controller({
    name: 'attachdetach',
    for: Node,
    predicate: (change) => change.type !== 'update' || isRelevant(change.before, change.object),
    watches: [
      {
        resource: Pod,
        predicate: (change) =>
          change.type !== 'update' ||
          change.before.spec?.nodeName !== change.object.spec?.nodeName ||
          needsVolumes(change.before) !== needsVolumes(change.object),
        map: requests.ofPod,
      },
      { resource: PersistentVolumeClaim, map: requests.ofClaim },
      { resource: PersistentVolume, map: requests.ofVolume },
      {
        resource: VolumeAttachment,
        predicate: ({ type, object }) => {
          attachments.observe(object, type === 'delete');
          return true;
        },
        map: requests.ofAttachment,
      },
    ],
    reads: [
      { resource: Pod, indexes: { ...podClaimIndexes, ...nodeIndexes } },
      { resource: VolumeAttachment, indexes: attachmentIndexes },
      CSIDriver,
    ],
    reconcile: reconcileOwner({ resource: Node, writes: [VolumeAttachment], informers, gone }, (node, owner) =>
      reconcileNode(node, { ...owner, recorder, attachments, memory: memoryOf(node.metadata.name ?? '') }),
    ),
  }).bind(context);
};

/** Kubelets write their node every few minutes. Most of that is no concern of this loop. */
function isRelevant(before: Node, node: Node): boolean {
  const facts = ({ metadata, spec, status }: Node) => ({
    annotations: metadata.annotations ?? {},
    taints: spec?.taints ?? [],
    inUse: status?.volumesInUse ?? [],
    attached: status?.volumesAttached ?? [],
  });
  return isNodeReady(before) !== isNodeReady(node) || !deepEqual(asJson(facts(before)), asJson(facts(node)));
}

/** The nodes that a change concerns. */
function requestsOf({ informers }: LoopContext) {
  const nodesNaming = (namespace: string | undefined, claim: string | undefined): ReconcileRequest[] =>
    podsNaming(informers.informer(Pod).indexer, namespace, claim).flatMap(nodeOf);
  const ofVolume = ({ spec }: PersistentVolume): ReconcileRequest[] =>
    spec?.csi === undefined ? [] : nodesNaming(spec.claimRef?.namespace, spec.claimRef?.name);
  return {
    ofVolume,
    ofPod: (pod: Pod) => (claimNames(pod).length === 0 ? [] : nodeOf(pod)),
    ofClaim: ({ metadata, status }: PersistentVolumeClaim) =>
      status?.phase === 'Bound' ? nodesNaming(metadata.namespace, metadata.name) : [],
    /** An attachment that goes may set the volume free for another node. */
    ofAttachment: ({ spec }: VolumeAttachment): ReconcileRequest[] => {
      const volume = informers.informer(PersistentVolume).indexer.get(spec.source.persistentVolumeName ?? '');
      return [{ namespace: undefined, name: spec.nodeName }, ...(volume === undefined ? [] : ofVolume(volume))];
    },
  };
}

function nodeOf({ spec }: Pod): ReconcileRequest[] {
  const { nodeName = '' } = spec ?? {};
  return nodeName === '' ? [] : [{ namespace: undefined, name: nodeName }];
}
