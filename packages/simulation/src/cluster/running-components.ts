import { setMaxListeners } from 'node:events';
import type { Random, VirtualClock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import type { Transport } from '@binnacle/client/transport';
import type { ClusterComponent, ComponentContext, Identity } from './components.js';

/** How long a crashed or killed component is away, in milliseconds. */
const RESTART = 1000;

export interface RunningComponentsOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  /** Connects a component as this user. `killed`: fires when the component is killed. */
  readonly connect: (identity: Identity, component: string, killed: AbortSignal) => Transport;
  /** Called with the error of a component that ends without being killed. */
  readonly failed: (error: unknown) => void;
}

/** The processes of a cluster. Each starts again after it was killed. */
export class RunningComponents {
  /** Messages of lasting failures, with their numbers. */
  readonly reports = new Map<string, number>();
  readonly #options: RunningComponentsOptions;
  readonly #components = new Map<string, { readonly component: ClusterComponent; stop: AbortController }>();
  readonly #running = new Set<Promise<void>>();
  #hasEnded = false;

  constructor(components: readonly ClusterComponent[], options: RunningComponentsOptions) {
    this.#options = options;
    for (const component of components)
      this.#components.set(component.name, { component, stop: new AbortController() });
  }

  get names(): readonly string[] {
    return [...this.#components.keys()];
  }

  start(): void {
    for (const { component } of this.#components.values()) this.#launch(component);
  }

  /** Kills a component, which starts again after `away` milliseconds. Requests that it has sent take effect. */
  kill(name: string, away = RESTART): void {
    const running = this.#components.get(name);
    if (running === undefined) throw new Error(`no component ${name}: there are ${this.names.join(', ')}`);
    if (running.stop.signal.aborted) return;
    running.stop.abort(new Error(`${name} is killed`));
    this.#options.clock.setTimer(() => this.#launch(running.component), away);
  }

  /** Ends all. A component that ends gives its last events some seconds of the clock. */
  async end(reason: Error): Promise<void> {
    this.#hasEnded = true;
    for (const { stop } of this.#components.values()) stop.abort(reason);
    while (this.#running.size > 0) await this.#options.clock.advance(1000);
  }

  #launch(component: ClusterComponent): void {
    if (this.#hasEnded) return;
    const { clock, random, connect, failed } = this.#options;
    const { name } = component;
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    this.#components.set(name, { component, stop });
    const { signal } = stop;
    const context: ComponentContext = {
      clock,
      random: random.fork(),
      connect: (identity) => connect(identity, name, signal),
      report: (error, where) => {
        if (signal.aborted) return;
        const text = `${where}: ${messageOf(error)}`;
        this.reports.set(text, (this.reports.get(text) ?? 0) + 1);
      },
    };
    const running = component
      .run(context, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) failed(error);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
