import type { PersistentVolume, PersistentVolumeClaim, PodSpec } from '@binnacle/client/kinds/core/v1';
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '@binnacle/client/kinds/storage/v1';
import type { NodeState, StorageView } from '../framework/index.js';

export interface StorageTraits {
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly volumes?: readonly PersistentVolume[];
  readonly classes?: readonly StorageClass[];
  readonly capacities?: readonly CSIStorageCapacity[];
  readonly drivers?: readonly CSIDriver[];
  readonly csiNodes?: readonly CSINode[];
  readonly attachments?: readonly VolumeAttachment[];
}

export function storageView(traits: StorageTraits, nodes: readonly NodeState[]): StorageView {
  const {
    claims = [],
    volumes = [],
    classes = [],
    capacities = [],
    drivers = [],
    csiNodes = [],
    attachments = [],
  } = traits;
  const pods = nodes.flatMap((node) => [...node.pods]);
  return {
    claim: (namespace, name) =>
      claims.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    isClaimUsed: (namespace, name) =>
      pods.some(
        (pod) =>
          pod.namespace === namespace &&
          pod.spec.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === name),
      ),
    volume: (name) => volumes.find(({ metadata }) => metadata.name === name),
    volumesOfClass: (className) => volumes.filter(({ spec }) => (spec?.storageClassName ?? '') === className),
    storageClass: (name) => classes.find(({ metadata }) => metadata.name === name),
    capacitiesOfClass: (className) => capacities.filter(({ storageClassName }) => storageClassName === className),
    driver: (name) => drivers.find(({ metadata }) => metadata.name === name),
    csiNode: (name) => csiNodes.find(({ metadata }) => metadata.name === name),
    attachments: (nodeName) => attachments.filter(({ spec }) => spec.nodeName === nodeName),
  };
}

/** The spec of a pod with a volume of each claim. */
export function withClaim(...names: readonly string[]): Partial<PodSpec> {
  return { volumes: names.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })) };
}

/** A claim for 1Gi of the class `slow`; bound if its spec names a volume. */
export function claimObject(
  name: string,
  spec: NonNullable<PersistentVolumeClaim['spec']> = {},
  traits: Pick<Partial<PersistentVolumeClaim>, 'metadata' | 'status'> = {},
): PersistentVolumeClaim {
  const annotations = spec.volumeName === undefined ? {} : { 'pv.kubernetes.io/bind-completed': 'yes' };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace: 'default', name, uid: name, annotations, ...traits.metadata },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: 'slow',
      ...spec,
    },
    ...(traits.status && { status: traits.status }),
  };
}

/** A free volume of 1Gi of the class `slow`. */
export function volumeObject(
  name: string,
  spec: NonNullable<PersistentVolume['spec']> = {},
  labels: Readonly<Record<string, string>> = {},
): PersistentVolume {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, labels },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'slow', ...spec },
    status: { phase: 'Available' },
  };
}

/** A class whose claims wait for a node. */
export function classObject(name: string, traits: Partial<StorageClass> = {}): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'csi.example.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...traits,
  };
}

export function csiNodeObject(
  name: string,
  limits: Readonly<Record<string, number>>,
  annotations: Readonly<Record<string, string>> = {},
): CSINode {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name, annotations },
    spec: {
      drivers: Object.entries(limits).map(([driver, count]) => ({
        name: driver,
        nodeID: name,
        allocatable: { count },
      })),
    },
  };
}

/** A volume binder that does nothing. */
export const idleBinder = {
  assume: <T>(plan: T): T => plan,
  revert: (): void => undefined,
  bind: (): Promise<void> => Promise.resolve(),
};
