import type { NodeObjects } from '../../authorization/index.js';
import { PERSISTENT_VOLUMES, PODS, RESOURCE_SLICES, type Stores, VOLUME_ATTACHMENTS } from '../../registry/index.js';

/** The objects through which the node authorizer relates a node to others. */
export function nodeObjects(stores: Stores): NodeObjects {
  const pods = stores.reader(PODS);
  const volumes = stores.reader(PERSISTENT_VOLUMES);
  const attachments = stores.reader(VOLUME_ATTACHMENTS);
  const slices = stores.reader(RESOURCE_SLICES);
  return {
    podsOf: (node, namespace) => pods.selectedCached({ field: 'spec.nodeName', value: node }, namespace),
    pod: (namespace, name) => pods.find(namespace, name),
    persistentVolume: (name) => volumes.find('', name),
    persistentVolumes: () => volumes.allCached(''),
    volumeAttachment: (name) => attachments.find('', name),
    resourceSlice: (name) => slices.find('', name),
  };
}
