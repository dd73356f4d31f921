import { type Clock, type RateLimit, type Timer, TokenBucket } from '../clock/index.js';

export interface BatchOptions {
  /** Items that may wait. Further ones are lost. */
  readonly bufferSize: number;
  readonly maximumBatchSize: number;
  /** How long the first item of a batch waits for others. */
  readonly maximumWaitMs: number;
  /** Batches a second; absent: no limit. */
  readonly throttle?: RateLimit | undefined;
}

export interface BatchTarget<T> {
  /** Sends the items of a batch, in order. Batches are sent one by one. Rejects if they are lost. */
  send(items: readonly T[]): Promise<void>;
  /** The queue is closing: gives up a `send` that takes longer than this, in milliseconds. */
  endSoon?(withinMs: number): void;
  close(): Promise<void>;
}

export interface BatchParts<T> {
  readonly target: BatchTarget<T>;
  readonly clock: Clock;
  /** Called with the number of lost items. Must not throw. */
  readonly lost: (error: unknown, items: number) => void;
  /** The memory of an item, in bytes or characters. */
  readonly sizeOf: (item: T) => number;
  /** The message of the error for an item that the queue does not take. */
  readonly full: string;
}

/** How long a closing queue waits for items that cannot be sent, in milliseconds. */
export const CLOSING_MS = 5000;
/** Beyond this size of all items that wait or are being sent, further ones are lost. */
const LARGEST_BUFFER = 64 * 1024 * 1024;

/** Collects items into batches, in their order. */
export class BatchQueue<T> {
  readonly #options: BatchOptions;
  readonly #parts: BatchParts<T>;
  readonly #bucket: TokenBucket | undefined;
  #items: T[] = [];
  #size = 0;
  #timer: Timer | undefined;
  #sending: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: BatchOptions, parts: BatchParts<T>) {
    this.#options = options;
    this.#parts = parts;
    this.#bucket = options.throttle === undefined ? undefined : new TokenBucket(options.throttle, parts.clock);
  }

  /** The item will be sent, unless the queue is full or closed. */
  add(item: T): void {
    const { bufferSize, maximumBatchSize } = this.#options;
    if (this.#closing.signal.aborted || this.#items.length >= bufferSize || this.#size > LARGEST_BUFFER) {
      this.#parts.lost(new Error(this.#parts.full), 1);
      return;
    }
    this.#items.push(item);
    this.#size += this.#parts.sizeOf(item);
    if (this.#items.length >= maximumBatchSize) this.#send();
    else this.#sendLater();
  }

  /** Sends the rest without regard to the throttle, and closes the target. Items that are not sent within the time are lost. */
  async close(withinMs = CLOSING_MS): Promise<void> {
    this.#closing.abort();
    this.#parts.target.endSoon?.(withinMs);
    this.#send();
    await this.#sending;
    await this.#parts.target.close();
  }

  #sendLater(): void {
    this.#timer ??= this.#parts.clock.setTimer(() => this.#send(), this.#options.maximumWaitMs).unref();
  }

  #send(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll();
  }

  /** The end of the queue ends the wait. */
  async #throttle(): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    try {
      await this.#bucket?.take(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #sendAll(): Promise<void> {
    const { maximumBatchSize } = this.#options;
    const { target, sizeOf, lost } = this.#parts;
    while (this.#items.length > 0) {
      await this.#throttle();
      const batch = this.#items.splice(0, maximumBatchSize);
      try {
        await target.send(batch);
      } catch (error) {
        lost(error, batch.length);
      }
      for (const item of batch) this.#size -= sizeOf(item);
      if (this.#items.length < maximumBatchSize && !this.#closing.signal.aborted) break;
    }
    this.#sending = undefined;
    if (this.#items.length > 0) this.#sendLater();
  }
}
