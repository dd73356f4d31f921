import type { Invariant } from './invariant.js';

/** An object keeps the identity of its creation, a deletion is never undone, and generations only grow. */
export function identity(): Invariant {
  return {
    name: 'identity',
    check: (_, { before, after }) => {
      if (before === undefined || after === undefined) return undefined;
      const [old, current] = [before.metadata, after.metadata];
      const name = `${after.kind} ${current.name ?? ''}`;
      if (old.uid !== current.uid) return `${name} has another UID than before`;
      if (old.creationTimestamp !== current.creationTimestamp)
        return `${name} has another creationTimestamp than before`;
      if (old.deletionTimestamp !== undefined && current.deletionTimestamp === undefined)
        return `${name} is no longer being deleted`;
      if ((current.generation ?? 0) < (old.generation ?? 0)) return `${name} has a lower generation than before`;
      return undefined;
    },
  };
}
