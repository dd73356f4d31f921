import type { TypedObject } from '../typed/index.js';
import type { ObjectChange } from './object-change.js';

/** Whether a change is worth a reconcile. Must be quick: it is asked for every change of the kind. */
export type Predicate<T extends TypedObject = TypedObject> = (change: ObjectChange<T>) => boolean;

/** Of updates those of the spec alone, for kinds whose status is a subresource: a controller that writes only status does not wake itself. */
export const generationChanged: Predicate = updatesThat(
  (before, after) => before.metadata.generation !== after.metadata.generation,
);

export const labelsChanged: Predicate = updatesThat((before, after) =>
  isDifferent(before.metadata.labels, after.metadata.labels),
);

export const annotationsChanged: Predicate = updatesThat((before, after) =>
  isDifferent(before.metadata.annotations, after.metadata.annotations),
);

/** Every change that each of them lets pass. */
export function allOf<T extends TypedObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/** Every change that one of them lets pass. */
export function anyOf<T extends TypedObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

export function not<T extends TypedObject>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}

/** Lets creations and deletions pass; a resync changes nothing, and so does not. */
function updatesThat(isWanted: (before: TypedObject, after: TypedObject) => boolean): Predicate {
  return (change) => {
    switch (change.type) {
      case 'update':
        return isWanted(change.before, change.object);
      case 'resync':
        return false;
      case 'create':
      case 'delete':
        return true;
    }
  };
}

type Texts = { readonly [key: string]: string };

function isDifferent(one: Texts = {}, other: Texts = {}): boolean {
  const keys = Object.keys(one);
  return keys.length !== Object.keys(other).length || keys.some((key) => one[key] !== other[key]);
}
