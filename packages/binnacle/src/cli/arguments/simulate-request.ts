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
  'run the scenario of a YAML file against a whole cluster in this process, on a virtual clock and a seed';
export const simulateSeedDescription =
  'decides faults, the order of requests and all random values; the same seed gives the same run (default: 1)';
export const simulateSeedsDescription = 'run this many seeds, starting with --seed (default: 1)';
export const simulateNodesDescription =
  'the number of simulated nodes, up to 5000 (default: as the scenario says, or 3)';
export const simulateUntilDescription =
  'end the run before this event, and print the last events and all objects except Events and leases; for a single seed';
export const simulateHistoryDescription =
  'write all events to this file, one line of JSON each; the same seed writes the same bytes; for a single seed';
