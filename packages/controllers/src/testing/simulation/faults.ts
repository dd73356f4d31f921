import type { NetworkFaults } from '@binnacle/client/network';

/** What goes wrong between control loops and the server. Default: nothing goes wrong. */
export interface SimulationFaults extends NetworkFaults {
  /**
   * Kill the process of the loops after each of their writes, and start another one with empty caches. Events are no such
   * writes, nor are writes that change nothing, such as reviews. Default: false.
   */
  readonly restartAfterWrites?: boolean;
}
