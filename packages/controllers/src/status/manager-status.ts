import { messageOf } from '@binnacle/apimachinery/errors';
import type { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { ControllerObserver } from '@binnacle/client/controller';
import { ClientMetrics } from './client-metrics.js';
import { managerFacts } from './metric-facts.js';
import { QueueMetrics } from './queue-metrics.js';

/** A health check of a loop. It has the name of the loop, as upstream's. */
export interface LoopCheck {
  readonly name: string;
  /** Throws while the loop has failed and waits for its restart. */
  readonly check: () => void;
}

const MANAGER = 'kube-controller-manager';

/** The state of the loops of a process, as health checks and metrics. */
export class ManagerStatus {
  /** Counts for the queues of the loops. */
  readonly queues: ControllerObserver;
  /** Counts the requests of the loops. */
  readonly clients: ClientMetrics;
  readonly checks: readonly LoopCheck[];
  readonly #running = new Set<string>();
  /** The last failures of loops that wait for their restart. */
  readonly #failures = new Map<string, unknown>();
  readonly #leads = new Map<string, () => boolean>();

  /**
   * `loops` are the names of all loops that the manager may run, `others` those of another component in the same process.
   * Adds to the registry, once for each.
   */
  constructor(registry: MetricRegistry, loops: readonly string[], others: readonly string[] = []) {
    this.queues = new QueueMetrics(registry);
    this.clients = new ClientMetrics(registry);
    this.checks = [...loops, ...others].map((name) => ({ name, check: () => this.#check(name) }));
    registry.readings(managerFacts.running, () =>
      loops.map((name) => [[name, MANAGER], Number(this.#running.has(name))] as const),
    );
    registry.readings(managerFacts.leads, () =>
      Array.from(this.#leads, ([component, leads]) => [[component], Number(leads())] as const),
    );
  }

  /** The component takes part in an election. `leads` tells whether it holds the lease. */
  electing(component: string, leads: () => boolean): void {
    this.#leads.set(component, leads);
  }

  started(name: string): void {
    this.#failures.delete(name);
    this.#running.add(name);
  }

  failed(name: string, error: unknown): void {
    this.#running.delete(name);
    this.#failures.set(name, error);
  }

  /** The manager has stopped the loop. */
  stopped(name: string): void {
    this.#running.delete(name);
    this.#failures.delete(name);
  }

  #check(name: string): void {
    if (!this.#failures.has(name)) return;
    const error = this.#failures.get(name);
    const reason = messageOf(error);
    throw new Error(`the loop has failed and restarts soon: ${reason}`, { cause: error });
  }
}
