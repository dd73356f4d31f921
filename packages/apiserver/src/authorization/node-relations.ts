import {
  claimNames,
  configMapNames,
  deviceClaimNames,
  isMirrorPod,
  secretNames,
  volumeSecrets,
} from '@binnacle/api/pods';
import type { PersistentVolume, Pod } from '@binnacle/api/types/core-v1';
import type { ResourceSlice } from '@binnacle/api/types/resource-v1';
import type { VolumeAttachment } from '@binnacle/api/types/storage-v1';
import type { Awaitable } from '@binnacle/apimachinery/work';

/** Reads the stored objects that relate a node to others. Callers must not modify the results. */
export interface NodeObjects {
  /** The pods of a namespace that are bound to the node. */
  podsOf(node: string, namespace: string): Promise<readonly Readonly<Pod>[]>;
  pod(namespace: string, name: string): Awaitable<Readonly<Pod> | undefined>;
  persistentVolume(name: string): Awaitable<Readonly<PersistentVolume> | undefined>;
  persistentVolumes(): Awaitable<readonly Readonly<PersistentVolume>[]>;
  volumeAttachment(name: string): Awaitable<Readonly<VolumeAttachment> | undefined>;
  resourceSlice(name: string): Awaitable<Readonly<ResourceSlice> | undefined>;
}

interface Target {
  readonly namespace: string;
  readonly name: string;
}

type Relation = (target: Target, node: string, objects: NodeObjects) => Promise<boolean>;

const byClaim = byPods(claimNames);
const bySecretOfPods = byPods((pod) => secretNames(pod.spec ?? {}));

/**
 * Each rule decides whether an object is related to a node. Nothing is cached: a decision reads the node's pods in one
 * namespace.
 */
const relations = {
  pods: async ({ namespace, name }, node, objects) => (await objects.pod(namespace, name))?.spec?.nodeName === node,
  serviceaccounts: byPods((pod) => [pod.spec?.serviceAccountName ?? '']),
  configmaps: byPods((pod) => configMapNames(pod.spec ?? {})),
  secrets: async (target, node, objects) =>
    (await bySecretOfPods(target, node, objects)) || (await bySecretOfVolumes(target, node, objects)),
  persistentvolumeclaims: byClaim,
  persistentvolumes: async ({ name }, node, objects) => byVolume(await objects.persistentVolume(name), node, objects),
  resourceclaims: byPods(deviceClaimNames),
  volumeattachments: async ({ name }, node, objects) => (await objects.volumeAttachment(name))?.spec?.nodeName === node,
  resourceslices: async ({ name }, node, objects) => (await objects.resourceSlice(name))?.spec?.nodeName === node,
} satisfies Record<string, Relation>;

export type RelatedKind = keyof typeof relations;

/**
 * Whether an object is related to a node, so that the node may read it. Related are the node's pods, the objects that
 * they reference, the volumes of their claims, and volume attachments of the node.
 * Upstream: `plugin/pkg/auth/authorizer/node` Graph.
 */
export function isRelated(kind: RelatedKind, target: Target, node: string, objects: NodeObjects): Promise<boolean> {
  return relations[kind](target, node, objects);
}

/** Mirror pods give their node no access, because the node creates them itself. */
function byPods(namesIn: (pod: Readonly<Pod>) => readonly string[]): Relation {
  return async ({ namespace, name }, node, objects) =>
    (await objects.podsOf(node, namespace)).some((pod) => !isMirrorPod(pod) && namesIn(pod).includes(name));
}

async function byVolume(
  volume: Readonly<PersistentVolume> | undefined,
  node: string,
  objects: NodeObjects,
): Promise<boolean> {
  const { namespace = '', name = '' } = volume?.spec?.claimRef ?? {};
  return namespace !== '' && name !== '' && byClaim({ namespace, name }, node, objects);
}

async function bySecretOfVolumes(target: Target, node: string, objects: NodeObjects): Promise<boolean> {
  for (const volume of await objects.persistentVolumes()) {
    const isOf = volumeSecrets(volume).some(
      ({ namespace, name }) => namespace === target.namespace && name === target.name,
    );
    if (isOf && (await byVolume(volume, node, objects))) return true;
  }
  return false;
}
