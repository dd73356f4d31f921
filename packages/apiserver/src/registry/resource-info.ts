import { badRequest, quoteGo } from '@binnacle/apimachinery/status';
import { nameIsPathSegment } from '@binnacle/apimachinery/validation';
import type { GroupKind, GroupResource } from '@binnacle/apimachinery/meta';

/** What the registry must know of a resource to name it in keys and errors. */
export interface ResourceInfo {
  readonly resource: GroupResource;
  readonly kind: GroupKind;
  readonly namespaced: boolean;
  /** Keys are `<prefix><namespace>/<name>`, or `<prefix><name>`: `/registry/pods/`. */
  readonly prefix: string;
}

export function objectKey(info: ResourceInfo, namespace: string, name: string): string {
  return info.namespaced ? `${info.prefix}${namespace}/${name}` : info.prefix + name;
}

/** All objects of a namespace, or of all namespaces when it is empty. */
export function collectionPrefix(info: ResourceInfo, namespace: string): string {
  return info.namespaced && namespace !== '' ? `${info.prefix}${namespace}/` : info.prefix;
}

/**
 * Throws 400 for a name that cannot be one segment of a path, and so not a part of a key.
 * Upstream: `NamespaceKeyFunc` of the generic registry.
 */
export function checkPathSegment(name: string): void {
  const problems = nameIsPathSegment(name, false);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${quoteGo(name)}: ${problems.join(';')}`);
}
