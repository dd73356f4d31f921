import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { OwnerReference, TypedObject } from '../typed/index.js';

/** Somebody else controls the object. */
export class AlreadyOwnedError extends Error {
  override readonly name = 'AlreadyOwnedError';
  readonly object: TypedObject;
  /** Who does. */
  readonly owner: OwnerReference;

  constructor(object: TypedObject, owner: OwnerReference) {
    super(`${nameOf(object)} is controlled by another object already: ${owner.kind} ${owner.name}`);
    this.object = object;
    this.owner = owner;
  }
}

export interface OwnerReferenceOptions {
  /** Whether a foreground deletion of the owner waits for the object. Default: true. */
  readonly blockOwnerDeletion?: boolean;
}

/**
 * The same object, controlled by the owner: it is deleted with the owner, and its changes wake who owns such objects. Throws an
 * {@link AlreadyOwnedError}, and a TypeError for an owner that cannot own it. Upstream: controller-runtime `SetControllerReference`.
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

/** The same object, owned by one more: it is deleted when all its owners are. Throws a TypeError for an owner that cannot own it. */
export function withOwnerReference<T extends TypedObject>(
  object: T,
  owner: TypedObject,
  options: OwnerReferenceOptions = {},
): T {
  return withReference(object, { ...referenceTo(owner, object), ...options });
}

/** The reference to the one owner that controls the object. */
export function controllerOf({ metadata }: TypedObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** Whether it is this very object that controls the other, and none of its name from before. */
export function isControlledBy(object: TypedObject, owner: TypedObject): boolean {
  const uid = controllerOf(object)?.uid;
  return uid !== undefined && uid === owner.metadata.uid;
}

function referenceTo(owner: TypedObject, object: TypedObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  const { name, uid, namespace } = metadata;
  if (name === undefined || uid === undefined)
    throw new TypeError(`${nameOf(owner)} has no uid: it was never read from a server`);
  if (namespace !== undefined && namespace !== object.metadata.namespace) {
    throw new TypeError(`${nameOf(owner)} can own only objects of its namespace, and ${nameOf(object)} is none`);
  }
  return { apiVersion, kind, name, uid };
}

/** In the place of an older one to an object of that name. */
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
