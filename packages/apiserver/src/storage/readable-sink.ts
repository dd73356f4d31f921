import { asError } from '@binnacle/apimachinery/errors';
import type { EventBatch, WatchSink } from '@binnacle/kv';
import type { StorageCodec } from './codec.js';

/**
 * Passes on the events of a watch when their values can be read. If the codec has to load first, this event and all
 * later ones wait, in order. Otherwise events pass at once.
 */
export class ReadableSink implements WatchSink {
  readonly #codec: StorageCodec;
  readonly #sink: WatchSink;
  readonly #signal: AbortSignal;
  #held: (() => void)[] | undefined;

  /** Passes on nothing after `signal` is aborted. */
  constructor(codec: StorageCodec, sink: WatchSink, signal: AbortSignal) {
    this.#codec = codec;
    this.#sink = sink;
    this.#signal = signal;
  }

  batch(batch: EventBatch): void {
    if (this.#held === undefined) this.#hold(this.#loading(batch));
    if (this.#held === undefined) this.#sink.batch(batch);
    else this.#held.push(() => this.#sink.batch(batch));
  }

  progress(revision: number): void {
    if (this.#held === undefined) this.#sink.progress(revision);
    else this.#held.push(() => this.#sink.progress(revision));
  }

  ended(error: Error): void {
    if (this.#held === undefined) this.#sink.ended(error);
    else this.#held.push(() => this.#sink.ended(error));
  }

  whenReady(): Promise<void> | undefined {
    return this.#sink.whenReady?.();
  }

  #loading({ events }: EventBatch): Promise<void> | undefined {
    for (const { value, previous } of events) {
      for (const bytes of [value, previous?.value]) {
        const loading = bytes === undefined ? undefined : this.#codec.beforeReading(bytes);
        if (loading !== undefined) return loading;
      }
    }
    return undefined;
  }

  #hold(loading: Promise<void> | undefined): void {
    if (loading === undefined) return;
    const held: (() => void)[] = [];
    this.#held = held;
    const release = (): void => {
      this.#held = undefined;
      if (!this.#signal.aborted) for (const call of held) call();
    };
    loading.then(release).catch((error: unknown) => {
      // Later events are held for good.
      this.#held = [];
      if (!this.#signal.aborted) this.#sink.ended(asError(error));
    });
  }
}
