import type { GroupKind, GroupResource } from '@binnacle/apimachinery/meta';

/** The facts of a resource that its keys and errors need. */
export interface ResourceInfo {
  readonly resource: GroupResource;
  readonly kind: GroupKind;
  readonly namespaced: boolean;
  /** Keys are `<prefix><namespace>/<name>`, or `<prefix><name>`: `/registry/pods/`. */
  readonly prefix: string;
}

export function objectKey(
  { namespaced, prefix }: Pick<ResourceInfo, 'namespaced' | 'prefix'>,
  namespace: string,
  name: string,
): string {
  return namespaced ? `${prefix}${namespace}/${name}` : prefix + name;
}

/** All objects of a namespace, or of all namespaces when it is empty. */
export function collectionPrefix(info: ResourceInfo, namespace: string): string {
  return info.namespaced && namespace !== '' ? `${info.prefix}${namespace}/` : info.prefix;
}

/** Names an object. */
export interface ObjectReference {
  readonly kind: string;
  /** '' if the resource has none. */
  readonly namespace: string;
  readonly name: string;
}

/** The object of the resource that has this key. */
export function referenceOf({ kind: { kind }, namespaced, prefix }: ResourceInfo, key: string): ObjectReference {
  const path = key.slice(prefix.length);
  const slash = namespaced ? path.indexOf('/') : -1;
  return { kind, namespace: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}
