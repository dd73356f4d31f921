/** What goes wrong between clients and the server. Shares are from 0 to 1; default: nothing goes wrong. */
export interface NetworkFaults {
  /** Milliseconds by which each event of a watch arrives late, so that caches are stale. */
  readonly watchDelay?: number;
  /** The share of watch events before which the watch breaks. */
  readonly brokenWatches?: number;
  /** The share of watches that the server refuses with 410, so that the informer lists again. */
  readonly expiredWatches?: number;
  /** The share of updates and patches that get 409 and do nothing. */
  readonly conflicts?: number;
  /** The share of writes that get 500 and do nothing. */
  readonly failedWrites?: number;
  /** The share of writes that take effect, but whose answer is lost. */
  readonly lostAnswers?: number;
  /** The share of writes that reach the server late, as if a webhook were slow. */
  readonly slowWrites?: number;
  /** How late those are at most, in milliseconds. Default: 5000. */
  readonly writeDelay?: number;
}
