import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { StorageMediaType } from '../codec/index.js';

/**
 * Groups of the servers within kube-apiserver that keep what they have in JSON, whatever the others do.
 * Upstream: `pkg/controlplane/apiserver`, `aggregator.go` and `apiextensions.go`.
 */
const JSON_GROUPS: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** In which encoding objects of a group are stored where `wanted` is what is asked for. */
export function mediaTypeOf(group: string, wanted: StorageMediaType): StorageMediaType {
  return JSON_GROUPS.has(group) ? JSON_MEDIA_TYPE : wanted;
}
