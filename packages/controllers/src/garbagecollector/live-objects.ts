import type { ObjectMeta, OwnerReference } from '@binnacle/client/typed';
import type { Identity } from './identity.js';
import type { Propagation } from './verdict.js';

/** What the server says of objects when it is asked now. Rejects with an `UnservedKindError` for kinds that it does not serve. */
export interface LiveObjects {
  /** Undefined: the server says that there is no object of this name, or one with another uid. */
  get(identity: Identity, signal: AbortSignal): Promise<ObjectMeta | undefined>;
  /**
   * Where an object is that is meant by its kind, name and a namespace that it may have. Undefined: the kind has namespaces, and none was
   * given.
   */
  locate(meant: Identity): Identity | undefined;
  /** Nothing when the object is gone. Rejects with a conflict when its owners are not those of `latest` any more. */
  delete(identity: Identity, latest: ObjectMeta, propagation: Propagation, signal: AbortSignal): Promise<void>;
  /** Nothing when the object is gone, or there is nothing to change. */
  rewriteOwners(identity: Identity, rewrite: RewriteOwners, signal: AbortSignal): Promise<void>;
  /** Nothing when the object is gone, or has no such finalizer. */
  removeFinalizer(identity: Identity, finalizer: string, signal: AbortSignal): Promise<void>;
}

/** Asked anew whenever somebody else has changed the object meanwhile. */
export type RewriteOwners = (owners: readonly OwnerReference[]) => readonly OwnerReference[];
