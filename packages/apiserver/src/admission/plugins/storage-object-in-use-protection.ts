import { formatGroupResource } from '@binnacle/apimachinery/meta';
import type { AdmissionPlugin } from '../plugin.js';

const FINALIZERS: ReadonlyMap<string, string> = new Map([
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['volumeattributesclasses.storage.k8s.io', 'kubernetes.io/vac-protection'],
]);

/**
 * Adds the finalizers that keep volumes, claims and attributes classes while they are in use.
 * Upstream: `plugin/pkg/admission/storage/storageobjectinuseprotection`.
 */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  resources: [...FINALIZERS.keys()],
  handles: (operation) => operation === 'CREATE',
  admit({ resource, subresource, object }) {
    const finalizer = subresource === '' ? FINALIZERS.get(formatGroupResource(resource)) : undefined;
    if (finalizer === undefined || object === undefined) return;
    const present = object.metadata.finalizers ?? [];
    if (!present.includes(finalizer)) object.metadata.finalizers = [...present, finalizer];
  },
};
