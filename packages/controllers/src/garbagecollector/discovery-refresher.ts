import { type Clock, sleep } from '@binnacle/client/clock';
import type { DiscoveryClient } from '@binnacle/client/discovery';
import type { PartialObjectMetadata } from '@binnacle/client/typed';
import { CUSTOM_RESOURCES, Definitions, defines } from './definitions.js';
import { ServedKinds } from './served-kinds.js';

export interface SurveyOptions {
  readonly discovery: DiscoveryClient;
  readonly clock: Clock;
  /** Told of what is served, when that has changed. */
  readonly adopt: (kinds: ServedKinds) => Promise<void>;
  /** Told of every failure, and how many there were in a row. */
  readonly onError: (error: unknown, failures: number) => void;
}

/** Definitions often change several at once. */
const SETTLE_MILLISECONDS = 100;
const FIRST_RETRY_MILLISECONDS = 250;
/** Upstream: the period of `GarbageCollector.Sync`. */
const LONGEST_RETRY_MILLISECONDS = 30_000;
/** About a minute. */
const MOST_RETRIES_WHILE_BEHIND = 8;

/** What the server serves, asked when it may have changed: then alone, as long as the server says all and lets its definitions be watched. */
export class Survey {
  readonly #options: SurveyOptions;
  readonly #definitions = new Definitions();
  #kinds = ServedKinds.none;
  #isDue = false;
  #wake: () => void = () => undefined;

  constructor(options: SurveyOptions) {
    this.#options = options;
  }

  get kinds(): ServedKinds {
    return this.#kinds;
  }

  /** An object of the resource `plural.group` is there. */
  set(resource: string, object: PartialObjectMetadata): void {
    if (!defines(resource)) return;
    this.#definitions.set(resource, object);
    this.request();
  }

  delete(resource: string, object: PartialObjectMetadata): void {
    if (!defines(resource)) return;
    this.#definitions.delete(resource, object);
    this.request();
  }

  /** What the server serves may have changed. */
  request(): void {
    this.#isDue = true;
    this.#wake();
  }

  /** Resolves when the signal has fired. */
  async run(signal: AbortSignal): Promise<void> {
    for (let tries = 1; !signal.aborted; tries = this.#isDue ? 1 : tries + 1) {
      this.#isDue = false;
      await this.#wait(await this.#ask(tries, signal), signal);
      await sleep(this.#options.clock, SETTLE_MILLISECONDS, signal).catch(() => undefined);
    }
  }

  /** Milliseconds after which it is to be asked again in any case. Undefined: when somebody requests it. */
  async #ask(tries: number, signal: AbortSignal): Promise<number | undefined> {
    const { discovery, adopt, onError } = this.#options;
    const retry = Math.min(FIRST_RETRY_MILLISECONDS * 2 ** (tries - 1), LONGEST_RETRY_MILLISECONDS);
    try {
      discovery.invalidate();
      const surface = await discovery.surface({ signal });
      const kinds = ServedKinds.of(surface, this.#kinds);
      if (kinds.watched.size === 0) throw new Error('the server says that it serves nothing');
      const isNew = !kinds.isSameAs(this.#kinds);
      this.#kinds = kinds;
      if (isNew) await adopt(kinds);
      if (this.#definitions.areAheadOf(kinds)) {
        if (tries < MOST_RETRIES_WHILE_BEHIND) return retry;
        this.#definitions.giveUp();
      }
      const isTold = surface.failures.length === 0 && kinds.serves(CUSTOM_RESOURCES);
      return isTold ? undefined : LONGEST_RETRY_MILLISECONDS;
    } catch (error) {
      if (!signal.aborted) onError(error, tries);
      return retry;
    }
  }

  async #wait(milliseconds: number | undefined, signal: AbortSignal): Promise<void> {
    if (this.#isDue || signal.aborted) return;
    const { clock } = this.#options;
    const { promise, resolve } = deferred();
    this.#wake = resolve;
    const timer = milliseconds === undefined ? undefined : clock.setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', resolve, { once: true });
    await promise;
    signal.removeEventListener('abort', resolve);
    timer?.[Symbol.dispose]();
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
