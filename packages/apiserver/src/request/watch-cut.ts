import type { StatusError } from '@binnacle/apimachinery/status';

/** Ends a watch before its time. One for each watch, where anybody may want to. */
export interface WatchCut {
  /** The watch says once how to make it look at {@link end} while nothing happens in it. */
  opened(wake: () => void): void;
  /** How many of these events, the next ones, may still be sent: the first of them, all of a revision or none. */
  pass<T extends { readonly revision: number }>(events: readonly T[]): readonly T[];
  /** How the watch is to end now that these are sent; undefined = it goes on. */
  readonly end: WatchCutEnd | undefined;
}

export interface WatchCutEnd {
  /** The last event, if any. */
  readonly error: StatusError | undefined;
  /** The client is to see a broken stream, and not an end. */
  readonly isBroken: boolean;
}
