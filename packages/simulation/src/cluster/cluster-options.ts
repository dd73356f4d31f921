import type { NetworkFaults } from '@binnacle/client/network';
import type { ClusterState, StoreEvent } from '../history/index.js';
import type { OwnController } from './components.js';

/** What goes wrong, all drawn from the seed. Shares are from 0 to 1. Default: nothing goes wrong. */
export interface ClusterFaults extends NetworkFaults {
  /** The share of writes of control loops after which their process crashes. It starts again a second later. */
  readonly crashes?: number;
}

export interface ClusterOptions {
  readonly seed: number;
  readonly nodes: number;
  /** Milliseconds since the epoch. Default: a Monday at midnight. */
  readonly now?: number | undefined;
  /** As `--controllers`. Default: `*`. */
  readonly controllers?: string | undefined;
  readonly faults?: ClusterFaults | undefined;
  readonly elidesHeartbeats?: boolean | undefined;
  /** Whether the server has fault injection. Default: it has not. */
  readonly injectsFaults?: boolean | undefined;
  readonly ownControllers?: readonly OwnController[] | undefined;
  /** Called with each event before it counts. False: the run ends here. */
  readonly admits: (event: StoreEvent) => boolean;
  /** Called with each event. An error ends the run, and `SimulatedCluster.advance` rejects with it. */
  readonly onEvent: (event: StoreEvent, state: ClusterState) => void;
  readonly write?: ((line: string) => void) | undefined;
}
