import { asError } from '@binnacle/apimachinery/errors';
import { type EventBatch, type KeyEvent, KVError, pausesReplay, type WatchSink } from '@binnacle/kv';

/** How many events may wait for a webhook, and how many bytes, before the watch ends. */
const WAITING_EVENTS = 20_000;
const WAITING_BYTES = 64 * 1024 * 1024;

type Convert = (values: readonly Uint8Array[]) => Promise<Uint8Array[]>;

type Notice =
  | { readonly type: 'batch'; readonly batch: EventBatch }
  | { readonly type: 'progress'; readonly revision: number }
  | { readonly type: 'ended'; readonly error: Error };

/**
 * Passes on a store's watch in order, with its values converted; one request converts all waiting events. Ends with
 * the error of an event that cannot be converted, after the events before it. Ends as `unavailable` when too much
 * waits.
 */
export class ConvertingWatch implements WatchSink {
  readonly #convert: Convert;
  readonly #sink: WatchSink;
  readonly #feed = new AbortController();
  #waiting: Notice[] = [];
  #events = 0;
  #bytes = 0;
  /** Settles when nothing waits. */
  #running: Promise<void> | undefined;

  constructor(convert: Convert, sink: WatchSink, signal: AbortSignal) {
    this.#convert = convert;
    this.#sink = sink;
    if (signal.aborted) this.#feed.abort();
    else signal.addEventListener('abort', () => this.#feed.abort(), { once: true, signal: this.#feed.signal });
  }

  /** Aborted when the watch ends, on either side. */
  get signal(): AbortSignal {
    return this.#feed.signal;
  }

  batch(batch: EventBatch): void {
    this.#events += batch.events.length;
    for (const event of batch.events) this.#bytes += sizeOf(event);
    if (this.#events > WAITING_EVENTS || this.#bytes > WAITING_BYTES) {
      this.#end(new KVError('unavailable', 'objects change faster than they are converted'));
      return;
    }
    this.#push({ type: 'batch', batch });
  }

  progress(revision: number): void {
    this.#push({ type: 'progress', revision });
  }

  ended(error: Error): void {
    this.#push({ type: 'ended', error });
  }

  whenReady(): Promise<void> | undefined {
    const isFull = pausesReplay(this.#events, this.#bytes);
    return isFull && this.#running !== undefined ? this.#running : this.#sink.whenReady?.();
  }

  #push(notice: Notice): void {
    if (this.#feed.signal.aborted) return;
    // An event that needs no conversion passes at once, as from the store.
    if (this.#running === undefined && this.#waiting.length === 0 && notice.type !== 'batch') {
      this.#pass(notice);
      return;
    }
    this.#waiting.push(notice);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#feed.signal.aborted) {
      const notices = this.#waiting;
      this.#waiting = [];
      this.#events = 0;
      this.#bytes = 0;
      await this.#passAll(notices);
    }
    this.#running = undefined;
  }

  async #passAll(notices: readonly Notice[]): Promise<void> {
    try {
      const batches = notices.flatMap((notice) => (notice.type === 'batch' ? [notice.batch] : []));
      const converted = await this.#converted(batches);
      for (const notice of notices) {
        if (this.#feed.signal.aborted) return;
        this.#pass(
          notice.type === 'batch' ? { type: 'batch', batch: converted.get(notice.batch) ?? notice.batch } : notice,
        );
      }
    } catch (error) {
      if (notices.length === 1) {
        this.#end(asError(error));
        return;
      }
      // One event of the batch failed: pass on those before it.
      for (const notice of notices) if (!this.#feed.signal.aborted) await this.#passAll([notice]);
    }
  }

  async #converted(batches: readonly EventBatch[]): Promise<ReadonlyMap<EventBatch, EventBatch>> {
    const values = batches.flatMap(({ events }) => events.flatMap(valuesOf));
    const converted = (await this.#convert(values)).values();
    const next = (): Uint8Array => converted.next().value ?? new Uint8Array(0);
    return new Map(
      batches.map((batch) => {
        const events = batch.events.map((event): KeyEvent => {
          const { value, previous, ...rest } = event;
          return {
            ...rest,
            ...(value === undefined ? {} : { value: next() }),
            ...(previous === undefined ? {} : { previous: { ...previous, value: next() } }),
          };
        });
        return [batch, { revision: batch.revision, events }];
      }),
    );
  }

  #pass(notice: Notice): void {
    if (this.#feed.signal.aborted) return;
    if (notice.type === 'ended') this.#end(notice.error);
    else if (notice.type === 'progress') this.#sink.progress(notice.revision);
    else this.#sink.batch(notice.batch);
  }

  #end(error: Error): void {
    if (this.#feed.signal.aborted) return;
    this.#feed.abort();
    this.#waiting = [];
    this.#sink.ended(error);
  }
}

function valuesOf({ value, previous }: KeyEvent): Uint8Array[] {
  return [...(value === undefined ? [] : [value]), ...(previous === undefined ? [] : [previous.value])];
}

function sizeOf({ value, previous }: KeyEvent): number {
  return (value?.length ?? 0) + (previous?.value.length ?? 0);
}
