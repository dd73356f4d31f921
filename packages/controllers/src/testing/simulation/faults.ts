/** What goes wrong between control loops and the server. Shares are from 0 to 1; default: nothing goes wrong. */
export interface SimulationFaults {
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
  /**
   * Kill the process of the loops after each of their writes, and start another one with empty caches. Events and
   * reviews are no such writes. Default: false.
   */
  readonly restartAfterWrites?: boolean;
}
