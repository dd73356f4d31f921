import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { SharedInformerFactory } from '../cache/index.js';
import { type Clock, systemClock } from '../clock/index.js';
import type { DynamicClient } from '../dynamic/index.js';
import { ApiSink, EventBroadcaster } from '../events/index.js';
import { warnOfError } from '../rest/index.js';
import { ControllerMetrics } from './controller-metrics.js';
import { Endpoints, type EndpointsOptions } from './endpoints.js';
import type { Component, ControllerEnvironment } from './environment.js';
import { runTogether } from './run-together.js';
import type { Runnable } from './runnable.js';

/** Lets one of several managers work at a time. A `LeaderElector` is one. */
export interface Leadership {
  /**
   * Does the work when it is one's turn, with a signal that fires with the given one, and when the turn is over. Settles after the work has;
   * rejects when the turn was lost.
   */
  run(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

export interface ControllerManagerOptions {
  readonly client: DynamicClient;
  /** Not started yet, as the manager starts and stops them. Default: its own. */
  readonly informers?: SharedInformerFactory;
  readonly leadership?: Leadership;
  /** How long to wait for what was told to stop, milliseconds. Default: 30000. */
  readonly gracePeriod?: number;
  readonly clock?: Clock;
  /** See {@link ControllerEnvironment}. */
  readonly report?: (error: unknown) => void;
  /** What controllers record events through; stays open. Default: one of the manager's own, which writes them to the server. */
  readonly events?: EventBroadcaster;
  /** Where to answer about health and metrics. Default: nowhere. */
  readonly endpoints?: EndpointsOptions;
  /** What controllers count themselves in. Default: a registry of the endpoints' own. */
  readonly metrics?: MetricRegistry;
}

export interface ManagedOptions {
  /** It runs whether this manager leads or not. */
  readonly everywhere?: boolean;
}

interface Member extends Required<ManagedOptions> {
  readonly work: Component | Runnable;
}

/** Runs controllers, and whatever else runs, over one set of informers. See the README for what it promises. */
export class ControllerManager implements Runnable {
  readonly name = 'controller manager';
  readonly #options: ControllerManagerOptions;
  readonly #members = new Map<string, Member>();
  #hasRun = false;

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
  }

  /** To be called before {@link run}. Throws a TypeError for a name that there is already. */
  add(work: Component | Runnable, { everywhere = false }: ManagedOptions = {}): void {
    if (this.#hasRun) throw new TypeError(`${work.name} is added to a manager that runs already`);
    if (this.#members.has(work.name)) throw new TypeError(`there are two ${work.name} in one manager: give one a name`);
    this.#members.set(work.name, { work, everywhere });
  }

  /**
   * Runs until the signal fires, or one of those that run fails, or leadership is lost: then all are stopped, the informers last. Resolves,
   * or rejects with the first failure, when all have ended; with a {@link NotStoppedError} when they do not in time. To be called once.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new TypeError('a manager runs once');
    this.#hasRun = true;
    if (signal.aborted) return;
    const { client, clock = systemClock, report = warnOfError, gracePeriod = 30_000 } = this.#options;
    const { informers = new SharedInformerFactory(client, { clock, onError: report }) } = this.#options;
    const { endpoints, metrics = endpoints && new MetricRegistry() } = this.#options;
    const own = new EventBroadcaster([new ApiSink(client, { clock })], { clock, onError: report });
    const { events = own } = this.#options;
    const counted = metrics && new ControllerMetrics(metrics);
    const environment = { client, informers, clock, report, events, metrics: counted };

    const lost = new AbortController();
    const work = [...this.#bound(environment, true), ...this.#led(this.#bound(environment, false), lost)];
    // What the work stands on begins before it and ends after it.
    const around: Runnable[] = [informers];
    if (endpoints !== undefined && metrics !== undefined) around.push(new Endpoints(endpoints, metrics, informers));
    const finished = new AbortController();
    const standing = runTogether(around, finished.signal);
    standing.catch((error) => lost.abort(error));
    try {
      const stop = AbortSignal.any([signal, lost.signal]);
      await runTogether(work, stop, { clock, milliseconds: gracePeriod });
    } finally {
      await own.shutDown();
      finished.abort(new Error('the controller manager has stopped'));
      await standing;
    }
  }

  #bound(environment: ControllerEnvironment, everywhere: boolean): Runnable[] {
    const chosen = [...this.#members.values()].filter((member) => member.everywhere === everywhere);
    return chosen.map(({ work }) => ('bind' in work ? work.bind(environment) : work));
  }

  /** Those that run while this manager leads, as one. */
  #led(runnables: readonly Runnable[], lost: AbortController): readonly Runnable[] {
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
