import type { Clock } from '@binnacle/apimachinery/clock';
import type { UserHeaders } from '../proxying/index.js';
import type { Connections } from './connections.js';
import type { Destinations } from './destinations.js';

/** What the handlers of this room share. */
export interface ConnectParts {
  readonly destinations: Destinations;
  readonly connections: Pick<Connections, 'open'>;
  readonly clock: Clock;
  /** No backend may see these: they name a user to this server. */
  readonly userHeaders: UserHeaders;
}
