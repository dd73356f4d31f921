/** What a cacher has done since it was made. Numbers that only grow, for others to read. */
export interface CacherStatistics {
  /** How often it has been built: once, and once more for each feed that was lost. */
  initializations: number;
  /** Events of the store. Each is offered to the watchers when it comes. */
  received: number;
  /** Objects that watches began with. */
  initialEvents: number;
  /** Watchers that have been ended because they fell behind. */
  fellBehind: number;
}

export function noStatistics(): CacherStatistics {
  return { initializations: 0, received: 0, initialEvents: 0, fellBehind: 0 };
}
