import type { OwnerReference } from '@binnacle/client/typed';
import { isSameReference, referenceKey } from './identity.js';

/** References of one object. Longer lists are indexed, as an object may name thousands of owners. */
const FEW_REFERENCES = 8;

interface ReferenceIndex {
  readonly byUid: ReadonlyMap<string, readonly OwnerReference[]>;
  /** By {@link referenceKey}. */
  readonly byKey: ReadonlyMap<string, OwnerReference>;
}

const indexOf = new WeakMap<readonly OwnerReference[], ReferenceIndex>();

/** Those of the references that name this uid. */
export function referencesTo(owners: readonly OwnerReference[], uid: string): readonly OwnerReference[] {
  if (owners.length <= FEW_REFERENCES) return owners.filter((reference) => reference.uid === uid);
  return indexed(owners).byUid.get(uid) ?? [];
}

/** The reference in the list that equals the given one. */
export function equalReference(
  owners: readonly OwnerReference[],
  reference: OwnerReference,
): OwnerReference | undefined {
  if (owners.length <= FEW_REFERENCES) return owners.find((each) => isSameReference(each, reference));
  return indexed(owners).byKey.get(referenceKey(reference));
}

function indexed(owners: readonly OwnerReference[]): ReferenceIndex {
  const known = indexOf.get(owners);
  if (known !== undefined) return known;
  const byUid = new Map<string, OwnerReference[]>();
  const byKey = new Map<string, OwnerReference>();
  for (const reference of owners) {
    const same = byUid.get(reference.uid);
    if (same === undefined) byUid.set(reference.uid, [reference]);
    else same.push(reference);
    byKey.set(referenceKey(reference), reference);
  }
  const index = { byUid, byKey };
  indexOf.set(owners, index);
  return index;
}
