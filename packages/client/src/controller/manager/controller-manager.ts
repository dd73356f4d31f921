import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { SharedInformerFactory } from '../../cache/index.js';
import { type Clock, systemClock } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '../../dynamic/index.js';
import { ApiSink, EventBroadcaster } from '../../events/index.js';
import { warnOfError } from '../../rest/index.js';
import { ControllerMetrics } from './controller-metrics.js';
import { Endpoints, type EndpointsOptions } from './endpoints.js';
import type { Component, ControllerEnvironment } from '../controller-options.js';
import { type Runnable, runTogether } from '../runnable.js';

/** Lets one of several managers work at a time, as a `LeaderElector` does. */
export interface Leadership {
  /**
   * Runs the work while leading. The work's signal fires with the given signal and when leadership ends. Settles after the work has; rejects if
   * leadership was lost.
   */
  run(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

export interface ControllerManagerOptions {
  readonly client: DynamicClient;
  /** The manager starts and stops them, so they must not be running. Default: a new factory. */
  readonly informers?: SharedInformerFactory;
  readonly leadership?: Leadership;
  /** Milliseconds to wait for components to stop. Default: 30000. */
  readonly gracePeriod?: number;
  readonly clock?: Clock;
  /** See {@link ControllerEnvironment.report}. */
  readonly report?: (error: unknown) => void;
  /** Records the events of controllers; the manager does not close it. Default: a new one, which writes to the server. */
  readonly events?: EventBroadcaster;
  /** Where to serve health and metrics. Default: not served. */
  readonly endpoints?: EndpointsOptions;
  /** The registry of the controllers' metrics. Default: a new one if `endpoints` are served, otherwise none. */
  readonly metrics?: MetricRegistry;
}

export interface ManagedOptions {
  /** Run it only while this manager leads. Default: true. */
  readonly needsLeadership?: boolean;
}

interface Member extends Required<ManagedOptions> {
  readonly work: Component | Runnable;
}

/** Runs controllers and other runnables over one set of informers. The README has the guarantees. */
export class ControllerManager implements Runnable {
  readonly name = 'controller manager';
  readonly #options: ControllerManagerOptions;
  readonly #members = new Map<string, Member>();
  #hasRun = false;

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
  }

  /** Call it before {@link run}. Throws a TypeError after that, and for a duplicate name. */
  add(work: Component | Runnable, { needsLeadership = true }: ManagedOptions = {}): void {
    if (this.#hasRun) throw new TypeError(`${work.name} is added to a manager that is already running`);
    if (this.#members.has(work.name))
      throw new TypeError(`the manager already has a ${work.name}: give one of them another name`);
    this.#members.set(work.name, { work, needsLeadership });
  }

  /**
   * Runs until the signal fires, a component fails or leadership is lost. Then it stops all components, the informers last. When all have ended
   * it resolves or rejects with the first failure; after the grace period it rejects with a {@link NotStoppedError}. Call it once.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new TypeError('a manager can run only once');
    this.#hasRun = true;
    if (signal.aborted) return;
    const { client, clock = systemClock, report = warnOfError, gracePeriod = 30_000 } = this.#options;
    const { informers = new SharedInformerFactory(client, { clock, onError: report }) } = this.#options;
    const { endpoints, metrics = endpoints && new MetricRegistry() } = this.#options;
    const own = new EventBroadcaster([new ApiSink(client, { clock })], { clock, onError: report });
    const { events = own } = this.#options;
    const controllerMetrics = metrics && new ControllerMetrics(metrics);
    const environment = { client, informers, clock, report, events, metrics: controllerMetrics };

    const lost = new AbortController();
    const work = [...this.#bound(environment, false), ...this.#withLeadership(this.#bound(environment, true), lost)];
    // The work depends on these services, so they start before it and end after it.
    const services: Runnable[] = [informers];
    if (endpoints !== undefined && metrics !== undefined) {
      const synced = { name: 'informers', check: () => informers.synced(AbortSignal.abort()) };
      const readiness = [synced, ...(endpoints.readiness ?? [])];
      services.push(new Endpoints({ ...endpoints, readiness }, metrics));
    }
    const finished = new AbortController();
    const serving = runTogether(services, finished.signal);
    serving.catch((error) => lost.abort(error));
    try {
      const stop = AbortSignal.any([signal, lost.signal]);
      await runTogether(work, stop, { clock, milliseconds: gracePeriod });
    } finally {
      await own.shutDown();
      finished.abort(new Error('the controller manager has stopped'));
      await serving;
    }
  }

  #bound(environment: ControllerEnvironment, needsLeadership: boolean): Runnable[] {
    const chosen = [...this.#members.values()].filter((member) => member.needsLeadership === needsLeadership);
    return chosen.map(({ work }) => ('bind' in work ? work.bind(environment) : work));
  }

  /** One runnable that runs these while this manager leads. */
  #withLeadership(runnables: readonly Runnable[], lost: AbortController): readonly Runnable[] {
    const { leadership } = this.#options;
    if (leadership === undefined) return runnables;
    const work = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => lost.abort(signal.reason), { once: true });
      return runTogether(runnables, signal);
    };
    const name = ['leadership', ...runnables.map(({ name }) => name)].join(', ');
    return [{ name, run: (signal) => leadership.run(work, signal) }];
  }
}
