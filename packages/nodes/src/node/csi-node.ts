import type { Node } from '@binnacle/client/kinds/core/v1';
import type { CSINode } from '@binnacle/client/kinds/storage/v1';

/** The plugins of volumes that CSI drivers replace on every node. Upstream: `csi_plugin.go`. */
const MIGRATED_PLUGINS = [
  'aws-ebs',
  'azure-disk',
  'azure-file',
  'cinder',
  'gce-pd',
  'portworx-volume',
  'vsphere-volume',
].map((name) => `kubernetes.io/${name}`);

/** The CSINode of a kubelet without CSI drivers. The garbage collector deletes it with the node. */
export function csiNodeOf({ metadata: { name = '', uid = '' } }: Node): CSINode {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: {
      name,
      annotations: { 'storage.alpha.kubernetes.io/migrated-plugins': MIGRATED_PLUGINS.join() },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: { drivers: [] },
  };
}
