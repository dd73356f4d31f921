import type { Clock } from '@binnacle/apimachinery/clock';
import { alreadyExists, notFound, serviceUnavailable, tooManyRequests } from '@binnacle/apimachinery/status';

const MOST_FORKS = 100;
const FORKS = { group: 'binnacle.dev', resource: 'forks' };

/** A server over a fork of the store, in this process. */
export interface ForkedServer {
  readonly url: string;
  /** Of an administrator. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export interface ForkOptions {
  readonly revision: number;
  /** 0 = any free port. */
  readonly port: number;
  /** Accept the tokens and certificates of this server. */
  readonly sharesCredentials: boolean;
}

/** Rejects with a StatusError when the options are the reason. */
export type StartFork = (options: ForkOptions) => Promise<ForkedServer>;

export interface Fork {
  readonly name: string;
  readonly revision: number;
  /** When it was started, in milliseconds since the epoch. */
  readonly time: number;
  readonly server: ForkedServer;
}

/** The forks that run. Those that `close` finds end with it. */
export class Forks {
  readonly #start: StartFork;
  readonly #clock: Clock;
  /** Undefined while a fork starts. */
  readonly #forks = new Map<string, Fork | undefined>();
  readonly #starting = new Set<Promise<unknown>>();
  #lastNumber = 0;
  #isClosed = false;

  constructor({ start, clock }: { readonly start: StartFork; readonly clock: Clock }) {
    this.#start = start;
    this.#clock = clock;
  }

  /** Throws 409 if the name is taken, 429 if there are too many. Without a name, the fork gets one. */
  async add(given: string | undefined, options: ForkOptions): Promise<Fork> {
    if (this.#isClosed) throw serviceUnavailable('the server is stopping');
    if (this.#forks.size >= MOST_FORKS)
      throw tooManyRequests(`there are ${MOST_FORKS} forks already; delete some first`);
    const name = given ?? this.#freeName();
    if (this.#forks.has(name)) throw alreadyExists(FORKS, name);
    this.#forks.set(name, undefined);
    const starting = this.#start(options);
    this.#starting.add(starting);
    try {
      const fork = { name, revision: options.revision, time: this.#clock.now(), server: await starting };
      this.#forks.set(name, fork);
      return fork;
    } catch (error) {
      this.#forks.delete(name);
      throw error;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** In the order of their start. */
  list(): readonly Fork[] {
    return [...this.#forks.values()].filter((fork) => fork !== undefined);
  }

  /** Throws 404 if there is none. */
  get(name: string): Fork {
    const fork = this.#forks.get(name);
    if (fork === undefined) throw notFound(FORKS, name);
    return fork;
  }

  /** Stops a fork. Throws 404 if there is none. */
  async remove(name: string): Promise<Fork> {
    const fork = this.get(name);
    this.#forks.delete(name);
    await fork.server.stop();
    return fork;
  }

  /** Stops all forks. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#starting);
    const forks = this.list();
    this.#forks.clear();
    await Promise.all(forks.map(({ server }) => server.stop()));
  }

  #freeName(): string {
    for (;;) {
      this.#lastNumber += 1;
      const name = `fork-${this.#lastNumber}`;
      if (!this.#forks.has(name)) return name;
    }
  }
}
