import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import { badRequest } from '@binnacle/apimachinery/status';

/** Throws 400 if the object names another namespace than its URL. `namespace`: the URL's; '' = none. */
export function checkNamespace({ namespace: given = '' }: Readonly<ObjectMeta>, namespace: string): void {
  if (given === '' || namespace === '' || given === namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/**
 * Puts the object in the namespace of its URL ('' = none), and throws 400 if it names another. Upstream:
 * `rest.EnsureObjectNamespaceMatchesRequestNamespace`.
 */
export function placeInNamespace(metadata: ObjectMeta, namespace: string): void {
  checkNamespace(metadata, namespace);
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
}
