import { type Clock, type RateLimit, type Timer, TokenBucket } from '@binnacle/apimachinery/clock';
import type { AuditEvent } from './event.js';
import type { AuditSink, BatchTarget } from './sink.js';

export interface BatchOptions {
  /** Events that may wait. Further ones are lost. */
  readonly bufferSize: number;
  readonly maximumBatchSize: number;
  /** How long the first event of a batch waits for others. */
  readonly maximumWaitMs: number;
  /** Batches a second; absent: no limit. */
  readonly throttle?: RateLimit | undefined;
}

/** Beyond this size of all events that wait, further ones are lost. Upstream has no limit but their number. */
const LARGEST_BUFFER = 64 * 1024 * 1024;

/** Collects events into batches, so that no request waits for them. Upstream: apiserver `plugin/pkg/audit/buffered`. */
export class BatchingSink implements AuditSink {
  readonly #options: BatchOptions;
  readonly #target: BatchTarget;
  readonly #clock: Clock;
  readonly #lost: (error: unknown, events: number) => void;
  readonly #bucket: TokenBucket | undefined;
  #events: AuditEvent[] = [];
  /** Characters of their JSON. */
  #size = 0;
  #timer: Timer | undefined;
  #sending: Promise<void> | undefined;
  readonly #closing = new AbortController();

  /** `lost` is called with the number of lost events. Must not throw. */
  constructor(
    options: BatchOptions,
    target: BatchTarget,
    clock: Clock,
    lost: (error: unknown, events: number) => void,
  ) {
    this.#options = options;
    this.#target = target;
    this.#clock = clock;
    this.#lost = lost;
    this.#bucket = options.throttle === undefined ? undefined : new TokenBucket(options.throttle, clock);
  }

  take(event: AuditEvent): Promise<boolean> {
    this.#collect(event);
    return Promise.resolve(true);
  }

  #collect(event: AuditEvent): void {
    const { bufferSize, maximumBatchSize, maximumWaitMs } = this.#options;
    if (this.#closing.signal.aborted || this.#events.length >= bufferSize || this.#size > LARGEST_BUFFER) {
      this.#lost(new Error('audit buffer queue blocked'), 1);
      return;
    }
    this.#events.push(event);
    this.#size += event.json.length;
    if (this.#events.length >= maximumBatchSize) this.#send();
    else this.#timer ??= this.#clock.setTimer(() => this.#send(), maximumWaitMs).unref();
  }

  backlog(): undefined {
    return undefined;
  }

  /** Sends the rest without regard to the throttle. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#target.endSoon?.();
    this.#send();
    await this.#sending;
    await this.#target.close();
  }

  #send(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll();
  }

  /** The end of the sink ends the wait. */
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
    while (this.#events.length > 0) {
      await this.#throttle();
      const batch = this.#events.splice(0, maximumBatchSize);
      for (const { json } of batch) this.#size -= json.length;
      try {
        await this.#target.send(batch);
      } catch (error) {
        this.#lost(error, batch.length);
      }
      if (this.#events.length < maximumBatchSize && !this.#closing.signal.aborted) break;
    }
    this.#sending = undefined;
    if (this.#events.length > 0)
      this.#timer ??= this.#clock.setTimer(() => this.#send(), this.#options.maximumWaitMs).unref();
  }
}
