import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { OwnerReference, TypedObject } from '../../typed/index.js';

/** Another object controls the object. */
export class AlreadyOwnedError extends Error {
  override readonly name = 'AlreadyOwnedError';
  readonly object: TypedObject;
  /** The present controller. */
  readonly owner: OwnerReference;

  constructor(object: TypedObject, owner: OwnerReference) {
    super(`${nameOf(object)} is already controlled by another object: ${owner.kind} ${owner.name}`);
    this.object = object;
    this.owner = owner;
  }
}

export interface OwnerReferenceOptions {
  /** Whether a foreground deletion of the owner waits for the object. Default: true. */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * Makes the owner the controller of the object: the object is deleted with its owner, and its changes reconcile the owner. Throws an
 * {@link AlreadyOwnedError} if another object controls it, and a TypeError for an owner in another namespace. Upstream: controller-runtime
 * `SetControllerReference`.
 */
export function withControllerReference<T extends TypedObject>(
  object: T,
  owner: TypedObject,
  { blockOwnerDeletion = true }: OwnerReferenceOptions = {},
): T {
  const reference = { ...referenceTo(owner, object), controller: true, blockOwnerDeletion };
  const present = controllerOf(object);
  if (present !== undefined && !isSameObject(present, reference)) throw new AlreadyOwnedError(object, present);
  return withReference(object, reference);
}

/** Adds an owner. The object is deleted when all its owners are. Throws a TypeError for an owner in another namespace. */
export function withOwnerReference<T extends TypedObject>(
  object: T,
  owner: TypedObject,
  options: OwnerReferenceOptions = {},
): T {
  return withReference(object, { ...referenceTo(owner, object), ...options });
}

/** The reference with `controller: true`. */
export function controllerOf({ metadata }: TypedObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Whether `owner` controls the object. Compares uids, so a re-created owner does not count. */
export function isControlledBy(object: TypedObject, owner: TypedObject): boolean {
  const uid = controllerOf(object)?.uid;
  return uid !== undefined && uid === owner.metadata.uid;
}

function referenceTo(owner: TypedObject, object: TypedObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  const { name, uid, namespace } = metadata;
  if (name === undefined || uid === undefined)
    throw new TypeError(`${nameOf(owner)} has no uid: read it from the server first`);
  if (namespace !== undefined && namespace !== object.metadata.namespace) {
    throw new TypeError(`${nameOf(owner)} can own only objects of its namespace, unlike ${nameOf(object)}`);
  }
  return { apiVersion, kind, name, uid };
}

/** Replaces a reference to the same name and kind, whose uid may be outdated. */
function withReference<T extends TypedObject>(object: T, reference: OwnerReference): T {
  const present = object.metadata.ownerReferences ?? [];
  const isThere = present.some((each) => isSameObject(each, reference));
  const ownerReferences = isThere
    ? present.map((each) => (isSameObject(each, reference) ? reference : each))
    : [...present, reference];
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function isSameObject(one: OwnerReference, other: OwnerReference): boolean {
  return one.kind === other.kind && one.name === other.name && groupOf(one) === groupOf(other);
}

function groupOf({ apiVersion }: OwnerReference): string | undefined {
  return parseGroupVersion(apiVersion)?.group;
}

function nameOf({ kind, metadata }: TypedObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`;
}
