import type { Random } from '@binnacle/apimachinery/clock';
import type { RestMapper } from '@binnacle/client/discovery';
import type { SimulatedCluster } from '../cluster/index.js';

/** What an action works with. */
export interface Stage {
  readonly cluster: SimulatedCluster;
  /** Draws nodes and pods. */
  readonly random: Random;
  readonly mapper: RestMapper;
  readonly signal: AbortSignal;
}
