import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { StorageMediaType } from '../../codec/index.js';

/**
 * Groups that kube-apiserver always stores in JSON. Upstream: `pkg/controlplane/apiserver`, `aggregator.go` and
 * `apiextensions.go`.
 */
const JSON_GROUPS: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** The encoding of a group's stored objects; `wanted` is the configured one. */
export function mediaTypeOf(group: string, wanted: StorageMediaType): StorageMediaType {
  return JSON_GROUPS.has(group) ? JSON_MEDIA_TYPE : wanted;
}
