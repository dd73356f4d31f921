import { Backoff, type Clock, type Random, sleep, systemClock, systemRandom } from '@binnacle/apimachinery/clock';
import type { AnyObject } from '../dynamic/index.js';
import {
  endsInitialEvents,
  isExpired,
  type ListOptions,
  type SelectOptions,
  type WatchEvent,
  type WatchOptions,
} from '../rest/index.js';
import type { SendOptions } from '../transport/index.js';
import type { ObjectList } from '../typed/index.js';
import { classifyFailure, isOlder, VersionRegressedError } from './failures.js';
import { objectKey } from './indexer.js';
import { initialState, type ReflectorEvent, type ReflectorState, transition } from './state.js';

/** The source of objects. A `ResourceClient` is one. */
export interface ObjectSource<T extends AnyObject> {
  list(options: ListOptions & SendOptions): Promise<ObjectList<T>>;
  pages(options: ListOptions & SendOptions): AsyncIterable<ObjectList<T>>;
  watch(options: WatchOptions & SendOptions): AsyncIterable<WatchEvent<T>>;
}

/** Receives the objects of a reflector, in the server's order. */
export interface ObjectSink<T> {
  /** Takes a complete list. The next call comes after the promise has resolved. It may reject when the signal fires. */
  replace(objects: readonly T[], signal: AbortSignal): Promise<void> | void;
  set(object: T): void;
  delete(object: T): void;
}

export interface ReflectorOptions<T> {
  /** Restricts the objects. Default: all. */
  readonly select?: SelectOptions;
  /** Reads only `metadata`, as `PartialObjectMetadata`. Default: false. */
  readonly metadataOnly?: boolean;
  /**
   * Called for each object as it arrives, for example to drop unused fields: before the next page is read, so that a list never holds them
   * all. Must keep the name, namespace and resourceVersion.
   */
  readonly transform?: (object: T) => T;
  /** Read the initial objects by a watch (`sendInitialEvents`), which needs less memory on both sides. Falls back to a list. Default: false. */
  readonly stream?: boolean;
  /** Default: 500. */
  readonly pageSize?: number;
  /** Called for every failure with the state that follows it. */
  readonly onError?: (error: unknown, state: ReflectorState) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

const FIRST_DELAY_MILLISECONDS = 800;
const MAX_DELAY_MILLISECONDS = 30_000;
/** A watch that ends sooner and without an event is repeated only after a delay. */
const SHORT_WATCH_MILLISECONDS = 1000;

/** Lists and watches a source, and keeps a sink in sync with it. The README has the state table. */
export class Reflector<T extends AnyObject> {
  readonly #source: ObjectSource<T>;
  readonly #sink: ObjectSink<T>;
  readonly #options: ReflectorOptions<T>;
  readonly #transform: (object: T) => T;
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #state: ReflectorState;

  constructor(source: ObjectSource<T>, sink: ObjectSink<T>, options: ReflectorOptions<T> = {}) {
    this.#source = source;
    this.#sink = sink;
    this.#options = options;
    this.#transform = options.transform ?? ((object) => object);
    this.#clock = options.clock ?? systemClock;
    const jitter = { share: 1, random: options.random ?? systemRandom };
    this.#backoff = new Backoff({ initial: FIRST_DELAY_MILLISECONDS, maximum: MAX_DELAY_MILLISECONDS, jitter });
    this.#state = initialState(options.stream === true);
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** Resolves when the signal has fired and all requests have ended. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const startedAt = this.#clock.monotonic();
      const versionBefore = this.#state.version;
      const short = () =>
        this.#state.version === versionBefore && this.#clock.monotonic() - startedAt < SHORT_WATCH_MILLISECONDS;
      try {
        this.#on(await this.#perform(signal, short));
      } catch (error) {
        if (signal.aborted) break;
        this.#on({ type: 'failed', failure: classifyFailure(error), short: short() });
        this.#options.onError?.(error, this.#state);
      }
    }
    this.#on({ type: 'stop' });
  }

  #on(event: ReflectorEvent): void {
    this.#state = transition(this.#state, event);
  }

  async #perform(signal: AbortSignal, short: () => boolean): Promise<ReflectorEvent> {
    switch (this.#state.phase) {
      case 'listing':
        return this.#list(signal);
      case 'streaming':
      case 'watching':
        await this.#watch(signal);
        return { type: 'ended', short: short() };
      case 'waiting':
        await sleep(this.#clock, this.#backoff.delay(Math.max(0, this.#state.failures - 1)), signal);
        return { type: 'waited' };
      case 'stopped':
        return { type: 'stop' };
    }
  }

  async #list(signal: AbortSignal): Promise<ReflectorEvent> {
    const { select, metadataOnly, pageSize = 500 } = this.#options;
    const options: ListOptions & SendOptions = { ...select, metadataOnly, signal };
    let objects: T[] = [];
    let version = '';
    try {
      for await (const page of this.#source.pages({ ...options, limit: pageSize })) {
        for (const object of page.items) objects.push(this.#transform(object));
        version = page.metadata.resourceVersion ?? '';
      }
    } catch (error) {
      // The revision of the first page was compacted before the last page: read all objects in one list.
      if (objects.length === 0 || !isExpired(error)) throw error;
      const whole = await this.#source.list(options);
      objects = whole.items.map(this.#transform);
      version = whole.metadata.resourceVersion ?? '';
    }
    await this.#sink.replace(objects, signal);
    return { type: 'listed', version };
  }

  /** Resolves when the server ends the watch. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { version } = this.#state;
    let initial = this.#state.phase === 'streaming' ? new Map<string, T>() : undefined;
    const from = initial === undefined ? { resourceVersion: version } : { sendInitialEvents: true };
    const { select, metadataOnly } = this.#options;
    const options = { ...select, metadataOnly, allowWatchBookmarks: true, ...from, signal };
    for await (const event of this.#source.watch(options)) {
      signal.throwIfAborted();
      const at = event.object.metadata?.resourceVersion;
      if (initial === undefined) {
        const { version: before } = this.#state;
        if (before !== undefined && at !== undefined && isOlder(at, before))
          throw new VersionRegressedError(before, at);
        this.#deliver(event);
        if (at !== undefined) this.#on({ type: 'progress', version: at });
      } else if (!endsInitialEvents(event)) {
        this.#collect(initial, event);
      } else {
        await this.#sink.replace([...initial.values()], signal);
        initial = undefined;
        this.#on({ type: 'listed', version: at ?? '' });
      }
    }
  }

  #deliver({ type, object }: WatchEvent<T>): void {
    if (type === 'DELETED') this.#sink.delete(this.#transform(object));
    else if (type !== 'BOOKMARK') this.#sink.set(this.#transform(object));
  }

  #collect(initial: Map<string, T>, { type, object }: WatchEvent<T>): void {
    if (type === 'DELETED') initial.delete(objectKey(object));
    else if (type !== 'BOOKMARK') initial.set(objectKey(object), this.#transform(object));
  }
}
