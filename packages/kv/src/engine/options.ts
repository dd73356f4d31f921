import type { Clock } from '@binnacle/apimachinery/clock';
import type { Backend } from './backend.js';
import type { CondensingOptions } from './condensation.js';

export interface EngineOptions {
  readonly backend: Backend;
  /** The timer of expiry. */
  readonly clock: Clock;
  /** Milliseconds since the epoch, by a clock that cannot be set. Keys expire by it. */
  readonly now: () => number;
  /** Default: superseded values stay whole. */
  readonly condensing?: CondensingOptions | undefined;
}
