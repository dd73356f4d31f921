import type { SharedInformerFactory } from '../cache/index.js';
import type { Clock } from '../clock/index.js';
import type { DynamicClient } from '../dynamic/index.js';
import type { EventBroadcaster } from '../events/index.js';
import type { ControllerMetrics } from './controller-metrics.js';
import type { Runnable } from './runnable.js';

/** What controllers work with. All of it belongs to whoever made it: a controller starts, stops and closes nothing of it. */
export interface ControllerEnvironment {
  /** For what is written, and for reads that must not be stale. */
  readonly client: DynamicClient;
  /** Shared by all controllers; started by their owner, before or after a controller is bound. */
  readonly informers: SharedInformerFactory;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Told of failures that are got over, a {@link ReconcileError} above all. Must not throw. Default: a warning of this process. */
  readonly report?: (error: unknown) => void;
  /** What controllers record events through. Default: their events go nowhere. */
  readonly events?: Pick<EventBroadcaster, 'recorder'> | undefined;
  /** What controllers count themselves in. Default: they do not. */
  readonly metrics?: ControllerMetrics | undefined;
}

/** What becomes runnable in an environment. */
export interface Component {
  readonly name: string;
  /** Says what it needs of the environment, and begins nothing. */
  bind(environment: ControllerEnvironment): Runnable;
}
