import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';

/** A CSI volume that is bound to the claim of the same name. */
export const volume = (name: string, accessMode = 'ReadWriteOnce'): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: [accessMode],
    storageClassName: 'slow',
    csi: { driver: 'csi.example.com', volumeHandle: `handle-${name}` },
    claimRef: { namespace: 'default', name, uid: `uid-${name}` },
  },
});

export const claim = (name: string, accessMode = 'ReadWriteOnce'): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { namespace: 'default', name, uid: `uid-${name}` },
  spec: {
    accessModes: [accessMode],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'slow',
    volumeName: name,
  },
  status: { phase: 'Bound' },
});

export const pod = (name: string, nodeName: string, claimName: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name, uid: `uid-${name}` },
  spec: {
    nodeName,
    containers: [{ name: 'c', image: 'img' }],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
  },
});

export const node = (name: string, status: Node['status'] = {}, taints: readonly string[] = []): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    uid: `uid-${name}`,
    annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
  },
  spec: { taints: taints.map((key) => ({ key, effect: 'NoExecute' })) },
  status: { conditions: [{ type: 'Ready', status: 'True' }], ...status },
});
