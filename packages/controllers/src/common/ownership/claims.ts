import { controllerOf } from '@binnacle/client/controller';
import type { TypedObject } from '@binnacle/client/typed';

/** What an owner does about the objects that it may own. */
export interface Claims<T> {
  /** Controlled by the owner and selected by it. */
  readonly owned: readonly T[];
  /** Selected by the owner and controlled by no object. */
  readonly adopt: readonly T[];
  /** Controlled by the owner and no longer selected. */
  readonly release: readonly T[];
}

/**
 * Sorts objects of the owner's namespace. An owner that is being deleted neither adopts nor releases; an object that is being deleted is not
 * adopted. Upstream: `BaseControllerRefManager.ClaimObject`.
 */
export function claimsOf<T extends TypedObject>(
  owner: TypedObject,
  isSelected: (object: T) => boolean,
  candidates: readonly T[],
): Claims<T> {
  const owned: T[] = [];
  const adopt: T[] = [];
  const release: T[] = [];
  const isDeleted = owner.metadata.deletionTimestamp !== undefined;
  for (const object of candidates) {
    const controller = controllerOf(object);
    if (controller !== undefined && controller.uid !== owner.metadata.uid) continue;
    const selected = isSelected(object);
    if (controller !== undefined && selected) owned.push(object);
    else if (isDeleted) continue;
    else if (controller !== undefined) release.push(object);
    else if (selected && object.metadata.deletionTimestamp === undefined) adopt.push(object);
  }
  return { owned, adopt, release };
}
