import type { WatchSink } from '@binnacle/kv/interface';

/** What the feeds of a cache pass through, so that a test can hold them back. */
export interface FeedGate {
  /** Whether the cache does not learn now what the store has; so it cannot say either whether it is fresh. */
  readonly held: boolean;
  /** To be told by the store in place of the sink. Everything reaches the sink once, in order, sooner or later. */
  guard(sink: WatchSink): WatchSink;
}
