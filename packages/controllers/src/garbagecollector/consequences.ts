import type { OwnerReference } from '@binnacle/client/typed';
import { canOwnIn, type Identity } from './identity.js';
import type { Node } from './node.js';

/** What follows from a change. */
export interface Consequences {
  /** Uids of nodes that there may be something to do about. */
  readonly suspects: ReadonlySet<string>;
  /** References to owners in another namespace, which own nothing here. */
  readonly misplaced: readonly Misplaced[];
}

export interface Misplaced {
  readonly dependent: Identity;
  readonly reference: OwnerReference;
}

/** The same while it is being found. */
export type Found = { readonly suspects: Set<string>; readonly misplaced: Misplaced[] };

export const nothingYet = (): Found => ({ suspects: new Set(), misplaced: [] });

/** Notes a reference of the dependent's if its owner is in another namespace. */
export function noteMisplaced(dependent: Node, reference: OwnerReference, owner: Identity, found: Found): void {
  if (dependent.identity === undefined || canOwnIn(dependent.identity.namespace, owner)) return;
  found.misplaced.push({ dependent: dependent.identity, reference });
}
