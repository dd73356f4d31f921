import { type Clock } from '@binnacle/apimachinery/clock';
import type { KV } from '../interface/index.js';

/** Opens an empty store, or one without other active users. The suite closes it. */
export type OpenKV = (options: { readonly clock: Clock }) => Promise<KV> | KV;

export interface KVSuiteFeatures {
  /** Keys expire by the `now` passed to `open`. Default: true. */
  readonly manualClock?: boolean;
  /**
   * The store delivers before a `txn` resolves, reports `progress` after every commit, and a read shows the state at the
   * time of the call, as stores in this process do. Default: true.
   */
  readonly local?: boolean;
  /** The store tells its past events and their authors. Default: as `local`. */
  readonly history?: boolean;
  /** The store has readers of values, notes, forks and snapshots. Default: as `local`. */
  readonly inProcess?: boolean;
  /** The store returns the tag with the value. Default: true. */
  readonly tags?: boolean;
}
