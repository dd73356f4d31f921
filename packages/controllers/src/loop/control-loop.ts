import type { SharedInformerFactory } from '@binnacle/client/cache';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { ControllerObserver } from '@binnacle/client/controller';
import type { DiscoveryClient } from '@binnacle/client/discovery';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { EventBroadcaster } from '@binnacle/client/events';
import type { Transport } from '@binnacle/client/transport';
import type { LoopSettings } from './loop-settings.js';

/** Work that runs until it is stopped. */
export interface ControlLoop {
  /**
   * Resolves when the signal has fired and all work has ended. Rejects if the loop cannot continue, also after all work has ended. Call it
   * once, before the signal has fired.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Creates a loop. The loop does nothing before `run`. */
export type CreateLoop = (context: LoopContext) => ControlLoop;

/** The dependencies of a loop. The manager owns and closes all of them. */
export interface LoopContext {
  /** For writes and for reads of the latest state, as the loop's own service account. */
  readonly client: DynamicClient;
  /** The transport of `client`, for requests that it has no method for. */
  readonly transport: Transport;
  /**
   * For lists and watches. They run as the manager, which may read everything, and are shared by all loops. A loop disposes of its handlers
   * when it ends.
   */
  readonly informers: SharedInformerFactory;
  /** Runs as the manager and is shared by all loops: a loop that invalidates it does so for all. */
  readonly discovery: DiscoveryClient;
  /** Makes recorders, whose events the loop's own service account writes. */
  readonly events: Pick<EventBroadcaster, 'recorder'>;
  readonly clock: Clock;
  readonly random: Random;
  /** The cluster has a single API server, so no other server may have a stale cache. */
  readonly isSoleServer: boolean;
  /** PEM bundle with which clients in the cluster verify the server's certificate. */
  readonly certificateAuthority: string;
  /** The addresses of simulated load balancers: CIDRs, separated by commas. Empty: there are no load balancers. */
  readonly loadBalancerIPRange: string;
  readonly settings: LoopSettings;
  /** Keeps the metrics of the loop's queues. Default: there are none. */
  readonly metrics?: ControllerObserver | undefined;
  /** Called with failures that the loop survives. Does not throw. */
  readonly report: (error: unknown) => void;
}
