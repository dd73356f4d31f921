import { getOwn, isObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';

/**
 * Keeps an explicitly empty list of managers from the document, which resets ownership; an absent list does not.
 * Decoding does not distinguish them, and custom resources keep that result. Upstream: apimachinery
 * `isResetManagedFields`, apiextensions `SetObjectMeta`.
 */
export function keepManagersReset(object: KubernetesObject, document: JsonValue): void {
  const metadata = isObject(document) ? getOwn(document, 'metadata') : undefined;
  const entries = isObject(metadata) ? getOwn(metadata, 'managedFields') : undefined;
  if (Array.isArray(entries) && entries.length === 0) object.metadata.managedFields = [];
}
