import type { ClusterState, StoreEvent } from '../history/index.js';

/** What must hold in every state of a cluster, whatever goes wrong. */
export interface Invariant {
  readonly name: string;
  /** Called after each event in the store, in order. Returns what is wrong; undefined if nothing is. An error ends the run, too. */
  readonly check?: (state: ClusterState, event: StoreEvent) => string | undefined;
  /** Called once, after the last event of a run that has reached its end. */
  readonly checkEnd?: (state: ClusterState) => string | undefined;
}
