import type { TypedObject } from '@binnacle/client/typed';

/** The request that led to an event. */
export interface Author {
  readonly user: string;
  /** `update` */
  readonly verb: string;
  /** `deployments/status` */
  readonly resource: string;
}

/** A change of one object in the store. */
export interface StoreEvent {
  /** Counts the events of a run, from 1. */
  readonly step: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: 'create' | 'update' | 'delete';
  /** Undefined for a change by the server itself, such as the end of an Event's life. */
  readonly author: Author | undefined;
  /** Undefined after a creation. */
  readonly before: TypedObject | undefined;
  /** Undefined after a deletion. */
  readonly after: TypedObject | undefined;
  /** The object: `after`, or `before` of a deleted one. */
  readonly object: TypedObject;
}
