/** The arguments of `binnacle simulate`. */
export interface SimulateRequest {
  readonly file: string;
  /** The first seed. */
  readonly seed: number;
  /** How many seeds, one after the other. */
  readonly seeds: number;
  /** Default: the number in the scenario. */
  readonly nodes?: number;
  /** Ends the run before this event. */
  readonly until?: number;
  /** Where the history is written. */
  readonly history?: string;
}

export const simulateDescription =
  'play the scenario of a YAML file with a whole cluster in this process, on a virtual clock and a seed';
export const simulateSeedDescription =
  'decides on faults, the order of requests and all random values; a seed gives the same run each time (default: 1)';
export const simulateSeedsDescription = 'play this many seeds, from --seed on (default: 1)';
export const simulateNodesDescription =
  'the number of simulated nodes, up to 5000 (default: as the scenario says, or 3)';
export const simulateUntilDescription =
  'end the run before this event, and print the last events and the objects, Events and leases left out; for a single seed';
export const simulateHistoryDescription =
  'write all events to this file, one line of JSON each, which is equal to the byte for equal seeds; for a single seed';
