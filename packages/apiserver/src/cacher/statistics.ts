/** Counters of a cacher since its creation. They only increase. */
export interface CacherStatistics {
  /** The number of builds: one at the start, and one for each lost feed. */
  initializations: number;
  /** Events received from the store. Each is offered to the watchers at once. */
  received: number;
  /** Initial objects sent to watches. */
  initialEvents: number;
  /** Watchers that were ended because they fell behind. */
  fellBehind: number;
}

export function noStatistics(): CacherStatistics {
  return { initializations: 0, received: 0, initialEvents: 0, fellBehind: 0 };
}
