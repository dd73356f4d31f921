import type { OwnerReference } from '@binnacle/client/typed';

/** Which object, and where. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for objects without one. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Whether a reference of an object in this namespace means that owner: a name alone, or a uid alone, does not. */
export function refersTo(reference: OwnerReference, namespace: string, owner: Identity): boolean {
  return (
    reference.uid === owner.uid &&
    reference.name === owner.name &&
    reference.kind === owner.kind &&
    reference.apiVersion === owner.apiVersion &&
    canOwnIn(namespace, owner)
  );
}

/** Owners with a namespace own nothing outside of it. */
export function canOwnIn(namespace: string, owner: Identity): boolean {
  return owner.namespace === '' || owner.namespace === namespace;
}

/** Whom a reference of an object in this namespace would mean if its kind has namespaces. */
export function meantBy(reference: OwnerReference, namespace: string): Identity {
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

/** Whether the owner, deleted in the foreground, waits for the object with this reference. */
export function blocks({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}

/** For people: `apps/v1 Deployment shop/web (uid)`. */
export function describe({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `${apiVersion} ${kind} ${namespace === '' ? '' : `${namespace}/`}${name} (${uid})`;
}
