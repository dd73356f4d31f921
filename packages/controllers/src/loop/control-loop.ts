import type { SharedInformerFactory } from '@binnacle/client/cache';
import type { Clock } from '@binnacle/client/clock';
import type { DiscoveryClient } from '@binnacle/client/discovery';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { Transport } from '@binnacle/client/transport';

/** Work that goes on until it is told to stop. */
export interface ControlLoop {
  /**
   * Resolves when the signal has fired and nothing is under way any more. Rejects when the loop cannot go on; then nothing of it is under way
   * either. To be called once, before the signal has fired.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Makes a loop, which does nothing before it is run. */
export type CreateLoop = (context: LoopContext) => ControlLoop;

/** What a loop is given. All of it belongs to the manager: a loop closes nothing. */
export interface LoopContext {
  /** For what the loop writes, and reads for sure: as the loop's own service account. */
  readonly client: DynamicClient;
  /** The same, for requests that the client has no method for. */
  readonly transport: Transport;
  /**
   * For what is listed and watched: as the manager, which may read everything, and shared by all loops. They run already. Handlers that a loop
   * adds are the loop's to dispose of when it ends.
   */
  readonly informers: SharedInformerFactory;
  /** What the server serves, asked as the manager and shared by all loops: whoever meets an unknown kind invalidates it for all. */
  readonly discovery: DiscoveryClient;
  readonly clock: Clock;
  /** All requests to the cluster go through one server, which has acted on what it has answered: no other may still have to hear of it. */
  readonly isSoleServer: boolean;
  /** PEM of what clients inside the cluster check the server's certificate against. */
  readonly certificateAuthority: string;
  /** Told of a failure that the loop gets over. Does not throw. */
  readonly report: (error: unknown) => void;
}
