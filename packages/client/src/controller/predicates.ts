import type { TypedObject } from '../typed/index.js';
import type { ObjectChange } from './object-change.js';

/** Whether a change needs a reconcile. Must be fast, since it is called for every change of the kind. */
export type Predicate<T extends TypedObject = TypedObject> = (change: ObjectChange<T>) => boolean;

/** Drops updates that leave `metadata.generation` unchanged, such as own status writes. For kinds with a status subresource. */
export const generationChanged: Predicate = updatesThat(
  (before, after) => before.metadata.generation !== after.metadata.generation,
);

export const labelsChanged: Predicate = updatesThat((before, after) =>
  isDifferent(before.metadata.labels, after.metadata.labels),
);

export const annotationsChanged: Predicate = updatesThat((before, after) =>
  isDifferent(before.metadata.annotations, after.metadata.annotations),
);

/** Passes a change that all of them pass. */
export function allOf<T extends TypedObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/** Passes a change that any of them passes. */
export function anyOf<T extends TypedObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

export function not<T extends TypedObject>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}

/** Passes creates and deletes, and updates that `isWanted` accepts. Drops resyncs, which change nothing. */
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

type Strings = { readonly [key: string]: string };

function isDifferent(one: Strings = {}, other: Strings = {}): boolean {
  const keys = Object.keys(one);
  return keys.length !== Object.keys(other).length || keys.some((key) => one[key] !== other[key]);
}
