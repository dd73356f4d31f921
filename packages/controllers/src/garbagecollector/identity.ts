import type { OwnerReference } from '@binnacle/client/typed';

/** Which object, and where. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Whether a reference from an object in `namespace` names this owner. Neither the name nor the uid suffices alone. */
export function refersTo(reference: OwnerReference, namespace: string, owner: Identity): boolean {
  return (
    reference.uid === owner.uid &&
    reference.name === owner.name &&
    reference.kind === owner.kind &&
    reference.apiVersion === owner.apiVersion &&
    canOwnIn(namespace, owner)
  );
}

/** A namespaced owner owns only objects of its own namespace. */
export function canOwnIn(namespace: string, owner: Identity): boolean {
  return owner.namespace === '' || owner.namespace === namespace;
}

/** The owner that a reference from an object in `namespace` names, if the owner's kind is namespaced. */
export function referencedIdentity(reference: OwnerReference, namespace: string): Identity {
  const { apiVersion, kind, name, uid } = reference;
  return { apiVersion, kind, namespace, name, uid };
}

export function isSame(one: Identity, other: Identity): boolean {
  return (
    one.uid === other.uid &&
    one.name === other.name &&
    one.namespace === other.namespace &&
    one.kind === other.kind &&
    one.apiVersion === other.apiVersion
  );
}

export function isSameReference(one: OwnerReference, other: OwnerReference): boolean {
  return (
    one.uid === other.uid &&
    one.name === other.name &&
    one.kind === other.kind &&
    one.apiVersion === other.apiVersion &&
    blocks(one) === blocks(other)
  );
}

/** Equal for references that are the same, see {@link isSameReference}. */
export function referenceKey(reference: OwnerReference): string {
  const { uid, name, kind, apiVersion } = reference;
  return JSON.stringify([uid, name, kind, apiVersion, blocks(reference)]);
}

export function areSameReferences(some: readonly OwnerReference[], others: readonly OwnerReference[]): boolean {
  return (
    some === others ||
    (some.length === others.length &&
      some.every((one, index) => {
        const other = others[index];
        return other !== undefined && isSameReference(one, other);
      }))
  );
}

/** Whether foreground deletion of the owner waits for the object with this reference. */
export function blocks({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}

/** A copy of a substring. A substring shares its parent's memory and would keep a whole list page alive. */
export function compactText(text: string): string {
  return Buffer.from(text).toString();
}

/** A copy of the fields that the graph uses. */
export function compactReference(reference: OwnerReference): OwnerReference {
  const own = {
    apiVersion: compactText(reference.apiVersion),
    kind: compactText(reference.kind),
    name: compactText(reference.name),
    uid: compactText(reference.uid),
  };
  return blocks(reference) ? { ...own, blockOwnerDeletion: true } : own;
}

/** For messages: `apps/v1 Deployment shop/web (uid)`. */
export function describe({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `${apiVersion} ${kind} ${namespace === '' ? '' : `${namespace}/`}${name} (${uid})`;
}
