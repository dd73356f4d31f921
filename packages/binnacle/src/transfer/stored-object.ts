import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { fieldsOf, type Item, kindText, metadataOf, ownerOf } from './item.js';
import { DEFINITION } from './plan.js';

export interface StoredObject {
  readonly object: JsonObject;
  /** Owners that are not exported. */
  readonly ownersLost: number;
}

/**
 * The object as a store has it. It keeps its UID, so references to it stay valid. `exported`: the UIDs of all objects. `versions`: those in which the
 * objects of a group and kind are stored.
 */
export function storedObject(
  { object, ...item }: Item,
  exported: ReadonlySet<string>,
  versions: (group: string, kind: string) => readonly string[],
): StoredObject {
  const { resourceVersion: _resourceVersion, selfLink: _selfLink, ownerReferences, ...metadata } = metadataOf(object);
  const stored = kindText(item) === DEFINITION ? withStoredVersions(object, versions) : object;
  if (!Array.isArray(ownerReferences)) return { object: { ...stored, metadata }, ownersLost: 0 };
  // The garbage collector would delete an object whose owner is absent.
  const present = ownerReferences.filter(isObject).filter((reference) => exported.has(ownerOf(reference).uid));
  const owned = present.length === 0 ? metadata : { ...metadata, ownerReferences: present };
  return { object: { ...stored, metadata: owned }, ownersLost: ownerReferences.length - present.length };
}

/** A definition has to name each version that is in the store. */
function withStoredVersions(
  object: JsonObject,
  versions: (group: string, kind: string) => readonly string[],
): JsonObject {
  const { group, names } = fieldsOf(object['spec']);
  const kind = fieldsOf(names)['kind'];
  if (typeof group !== 'string' || typeof kind !== 'string') return object;
  const status = fieldsOf(object['status']);
  const named = Array.isArray(status['storedVersions']) ? status['storedVersions'] : [];
  return { ...object, status: { ...status, storedVersions: [...new Set([...named, ...versions(group, kind)])] } };
}
