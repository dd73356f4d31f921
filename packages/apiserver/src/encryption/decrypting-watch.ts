import { asError } from '@binnacle/apimachinery/errors';
import { type EventBatch, KVError, pausesReplay, type WatchSink } from '@binnacle/kv';

/** How many bytes of events may wait for a key service before the watch ends. */
const WAITING_BYTES = 64 * 1024 * 1024;

type ReadBatch = (batch: EventBatch) => EventBatch | Promise<EventBatch>;

/** A call of the sink. It does not reject. */
type Notice = () => void | Promise<void>;

/**
 * Passes on a store's watch in order, with its values decrypted: at once while all keys are known. An event that cannot be
 * decrypted ends the watch with its error. So does a key service that is slower than the events, as `unavailable`.
 */
export class DecryptingWatch implements WatchSink {
  readonly #read: ReadBatch;
  readonly #sink: WatchSink;
  readonly #feed = new AbortController();
  #waiting: Notice[] = [];
  #bytes = 0;
  /** Settles when nothing waits. */
  #running: Promise<void> | undefined;

  constructor(read: ReadBatch, sink: WatchSink, signal: AbortSignal) {
    this.#read = read;
    this.#sink = sink;
    if (signal.aborted) this.#feed.abort();
    else signal.addEventListener('abort', () => this.#feed.abort(), { once: true, signal: this.#feed.signal });
  }

  /** Aborted when the watch ends, on either side. */
  get signal(): AbortSignal {
    return this.#feed.signal;
  }

  batch(batch: EventBatch): void {
    if (this.#running !== undefined) this.#bytes += sizeOf(batch);
    if (this.#bytes > WAITING_BYTES) {
      this.#end(new KVError('unavailable', 'objects change faster than their keys are decrypted'));
      return;
    }
    this.#take(() => this.#pass(batch));
  }

  progress(revision: number): void {
    this.#take(() => this.#sink.progress(revision));
  }

  ended(error: Error): void {
    this.#take(() => this.#end(error));
  }

  whenReady(): Promise<void> | undefined {
    const isFull = pausesReplay(this.#waiting.length, this.#bytes);
    return isFull && this.#running !== undefined ? this.#running : this.#sink.whenReady?.();
  }

  #take(notice: Notice): void {
    if (this.#feed.signal.aborted) return;
    if (this.#running !== undefined) {
      this.#waiting.push(notice);
      return;
    }
    const pending = notice();
    if (pending !== undefined) this.#running = this.#runAfter(pending);
  }

  async #runAfter(pending: Promise<void>): Promise<void> {
    await pending;
    while (this.#waiting.length > 0) {
      const notices = this.#waiting;
      this.#waiting = [];
      this.#bytes = 0;
      for (const notice of notices) if (!this.#feed.signal.aborted) await notice();
    }
    this.#running = undefined;
  }

  #pass(batch: EventBatch): void | Promise<void> {
    let read: EventBatch | Promise<EventBatch>;
    try {
      read = this.#read(batch);
    } catch (error) {
      this.#end(asError(error));
      return undefined;
    }
    if (!(read instanceof Promise)) {
      this.#sink.batch(read);
      return undefined;
    }
    const passed = read.then((decrypted) => {
      if (!this.#feed.signal.aborted) this.#sink.batch(decrypted);
    });
    return passed.catch((error: unknown) => this.#end(asError(error)));
  }

  #end(error: Error): void {
    if (this.#feed.signal.aborted) return;
    this.#feed.abort();
    this.#waiting = [];
    this.#sink.ended(error);
  }
}

function sizeOf({ events }: EventBatch): number {
  return events.reduce((sum, { value, previous }) => sum + (value?.length ?? 0) + (previous?.value.length ?? 0), 0);
}
