import type { WatchSink } from '@binnacle/kv';

/** Sits between the store and a cache's feeds, so that a test can hold events back. */
export interface FeedGate {
  /** Whether events are being held back; the cache then cannot tell whether it is fresh. */
  readonly held: boolean;
  /**
   * Returns a sink to give to the store in place of `sink`. Everything reaches `sink` once and in order, possibly
   * later.
   */
  guard(sink: WatchSink): WatchSink;
}
