import { getOwn, isObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';

/**
 * Keeps, in a decoded object, the empty list of managers that its document has: it asks to forget who owned what, where no
 * list asks nothing. To decoding the two are one, and for custom resources it stays so.
 * Upstream: apimachinery `isResetManagedFields`, apiextensions `SetObjectMeta`.
 */
export function keepManagersReset(object: KubernetesObject, document: JsonValue): void {
  const metadata = isObject(document) ? getOwn(document, 'metadata') : undefined;
  const entries = isObject(metadata) ? getOwn(metadata, 'managedFields') : undefined;
  if (Array.isArray(entries) && entries.length === 0) object.metadata.managedFields = [];
}
