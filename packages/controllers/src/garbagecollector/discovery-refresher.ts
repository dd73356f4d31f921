import { Backoff, type Clock, sleep } from '@binnacle/apimachinery/clock';
import type { DiscoveryClient } from '@binnacle/client/discovery';
import type { PartialObjectMetadata } from '@binnacle/client/typed';
import { isBeingDeleted } from './node.js';
import { ServedKinds } from './served-kinds.js';

export interface DiscoveryRefresherOptions {
  readonly discovery: DiscoveryClient;
  readonly clock: Clock;
  /** Called when the served kinds have changed. */
  readonly onChange: (kinds: ServedKinds) => Promise<void>;
  /** Called for every failure with the number of consecutive ones. */
  readonly onError: (error: unknown, failures: number) => void;
}

const CUSTOM_RESOURCES = 'customresourcedefinitions.apiextensions.k8s.io';
const DEFINING: ReadonlySet<string> = new Set([CUSTOM_RESOURCES, 'apiservices.apiregistration.k8s.io']);

/** Batches changes: definitions often change several at a time. */
const SETTLE_MILLISECONDS = 100;
const FIRST_RETRY_MILLISECONDS = 250;
/** Upstream: the period of `GarbageCollector.Sync`. */
const MAX_RETRY_MILLISECONDS = 30_000;
const backoff = new Backoff({ initial: FIRST_RETRY_MILLISECONDS, maximum: MAX_RETRY_MILLISECONDS });
/** About a minute of retries. */
const MAX_TRIES_WHILE_BEHIND = 8;

/** Whether a change of an object of this resource, `plural.group`, may change what the server serves. */
export function definesKinds(resource: string): boolean {
  return DEFINING.has(resource);
}

/**
 * Runs discovery when the served kinds may have changed. It polls only while discovery is incomplete or definitions cannot be watched.
 */
export class DiscoveryRefresher {
  readonly #options: DiscoveryRefresherOptions;
  readonly #pending = new PendingDefinitions();
  #kinds = ServedKinds.none;
  #isDue = false;
  #wake: () => void = () => undefined;

  constructor(options: DiscoveryRefresherOptions) {
    this.#options = options;
  }

  get kinds(): ServedKinds {
    return this.#kinds;
  }

  /** A watch has shown an object of the resource `plural.group`. */
  set(resource: string, object: PartialObjectMetadata): void {
    if (!definesKinds(resource)) return;
    this.#pending.set(resource, object);
    this.request();
  }

  delete(resource: string, object: PartialObjectMetadata): void {
    if (!definesKinds(resource)) return;
    this.#pending.delete(resource, object);
    this.request();
  }

  /** Asks for a refresh: the served kinds may have changed. */
  request(): void {
    this.#isDue = true;
    this.#wake();
  }

  /** Resolves when the signal has fired. */
  async run(signal: AbortSignal): Promise<void> {
    for (let tries = 1; !signal.aborted; tries = this.#isDue ? 1 : tries + 1) {
      this.#isDue = false;
      await this.#wait(await this.#refresh(tries, signal), signal);
      await sleep(this.#options.clock, SETTLE_MILLISECONDS, signal).catch(() => undefined);
    }
  }

  /** Resolves to the milliseconds until the next refresh; undefined to wait for a request. */
  async #refresh(tries: number, signal: AbortSignal): Promise<number | undefined> {
    const { discovery, onChange, onError } = this.#options;
    const retry = backoff.delay(tries - 1);
    try {
      discovery.invalidate();
      const surface = await discovery.surface({ signal });
      const kinds = ServedKinds.of(surface, this.#kinds);
      if (kinds.watched.size === 0) throw new Error('discovery shows no resources');
      const hasChanged = !kinds.isSameAs(this.#kinds);
      this.#kinds = kinds;
      if (hasChanged) await onChange(kinds);
      if (this.#pending.anyPending(kinds)) {
        if (tries < MAX_TRIES_WHILE_BEHIND) return retry;
        this.#pending.clear();
      }
      const isComplete = surface.failures.length === 0 && kinds.serves(CUSTOM_RESOURCES);
      return isComplete ? undefined : MAX_RETRY_MILLISECONDS;
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
    const timer = milliseconds === undefined ? undefined : clock.setTimer(resolve, milliseconds);
    signal.addEventListener('abort', resolve, { once: true });
    await promise;
    signal.removeEventListener('abort', resolve);
    timer?.[Symbol.dispose]();
  }
}

/** CustomResourceDefinitions whose creation or deletion discovery does not show yet. */
class PendingDefinitions {
  readonly #expected = new Map<string, boolean>();

  set(resource: string, { metadata }: PartialObjectMetadata): void {
    if (resource !== CUSTOM_RESOURCES || metadata.name === undefined) return;
    if (isBeingDeleted(metadata)) this.#expected.delete(metadata.name);
    else this.#expected.set(metadata.name, true);
  }

  delete(resource: string, { metadata }: PartialObjectMetadata): void {
    if (resource === CUSTOM_RESOURCES && metadata.name !== undefined) this.#expected.set(metadata.name, false);
  }

  /** Whether any change is not in `kinds` yet. Drops the others. */
  anyPending(kinds: ServedKinds): boolean {
    for (const [name, isServed] of this.#expected) if (kinds.serves(name) === isServed) this.#expected.delete(name);
    return this.#expected.size > 0;
  }

  /** For definitions that the server may never serve: another one may have taken their names. */
  clear(): void {
    this.#expected.clear();
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
