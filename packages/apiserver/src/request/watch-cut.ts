import type { StatusError } from '@binnacle/apimachinery/status';

/** Ends a watch early. Each watch has its own. */
export interface WatchCut {
  /** The watch calls it once. `wake` makes the watch check {@link end} when it has no events. */
  opened(wake: () => void): void;
  /** How many of the next events may still be sent: all events of a revision or none. */
  pass(events: EventRevisions): number;
  /** How the watch must end now; undefined while it continues. */
  readonly end: WatchCutEnd | undefined;
}

/** The revisions of events, in order. */
export interface EventRevisions {
  readonly length: number;
  at(index: number): { readonly revision: number } | undefined;
}

export interface WatchCutEnd {
  /** The last event, if any. */
  readonly error: StatusError | undefined;
  /** Whether the client sees a broken stream instead of an end. */
  readonly isBroken: boolean;
}
