import { pausesReplay } from '@binnacle/kv';
import type { StoredObject } from '../storage/index.js';
import type { ObjectChange, ObjectEvent, ObjectFilter } from './event.js';
import { EventSequence } from './event-sequence.js';

export interface WatcherOptions {
  /** Only keys that begin with this. */
  readonly prefix: string;
  readonly filter: ObjectFilter | undefined;
  /** Events at or below this revision are not for this watcher. */
  readonly fromRevision: number;
  /** How many events may wait before the watcher has fallen behind. */
  readonly capacity: number;
  /** How many bytes of objects may wait before the watcher has fallen behind. */
  readonly capacityBytes: number;
  /** Called once when the watcher ends because it fell behind. */
  readonly fellBehind?: () => void;
}

/** Why a watcher has ended. */
export type WatcherEnd =
  | { readonly type: 'fell-behind' }
  | { readonly type: 'stopped' }
  /** The feed is lost for now. The client resumes after its last event and misses nothing. */
  | { readonly type: 'feed-lost' }
  | { readonly type: 'failed'; readonly error: Error };

/**
 * One reader of a stream of changes, with a bounded queue. The writer (`offer`, `end`) never waits; the reader takes
 * the whole queue at once. A watcher that falls behind is ended. It never skips events and never ends in the middle
 * of a revision, so a client that resumes after the last revision misses nothing.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  #initial: readonly StoredObject[] = [];
  #queue: ObjectEvent[] = [];
  /** Bytes of the queued events. */
  #queuedBytes = 0;
  #ended: WatcherEnd | undefined;
  #wake: (() => void) | undefined;
  #scheduled = false;
  #whenEnded: (() => void) | undefined;
  #whenDrained: (() => void) | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get prefix(): string {
    return this.#options.prefix;
  }

  get ended(): WatcherEnd | undefined {
    return this.#ended;
  }

  get idle(): boolean {
    return this.#initial.length === 0 && this.#queue.length === 0;
  }

  /** Queues the initial state before later events. It does not count against the capacity. The objects may be shared. */
  prime(objects: readonly StoredObject[]): void {
    this.#initial = objects;
    this.#notify();
  }

  offer(change: ObjectChange): void {
    if (this.#ended !== undefined) return;
    if (change.revision <= this.#options.fromRevision || !change.key.startsWith(this.#options.prefix)) return;
    if (change.lost !== undefined) {
      this.end({ type: 'failed', error: change.lost });
      return;
    }
    const event = change.seenThrough(this.#options.filter);
    if (event === undefined) return;
    const { capacity, capacityBytes } = this.#options;
    const waiting = this.#queue.length;
    if (waiting >= capacity || (waiting > 0 && this.#queuedBytes + event.object.size > capacityBytes)) {
      this.#dropRevision(event.revision);
      this.end({ type: 'fell-behind' });
      this.#options.fellBehind?.();
      return;
    }
    this.#queue.push(event);
    this.#queuedBytes += event.object.size;
    this.#notify();
  }

  /** The first call decides the reason. Queued events are still delivered before the end. */
  end(reason: WatcherEnd): void {
    this.#ended ??= reason;
    this.#whenEnded?.();
    this.#whenDrained?.();
    this.#notify();
  }

  /** Settles when events wait, when the watcher has ended, or after {@link nudge}. One waiter at a time. */
  async wait(): Promise<void> {
    if (!this.idle || this.#ended !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Settles at once when the watcher ends, whatever is queued. One waiter at a time. */
  async finished(): Promise<void> {
    if (this.#ended !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#whenEnded = resolve;
    });
  }

  /** Takes all queued events, in order. */
  take(): EventSequence {
    const events = new EventSequence(this.#initial, this.#queue);
    this.#initial = [];
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#whenDrained?.();
    return events;
  }

  /** Settles when the reader has drained the queue, or the watcher has ended; undefined = little is queued. One waiter at a time. */
  whenDrained(): Promise<void> | undefined {
    if (this.#ended !== undefined || !pausesReplay(this.#queue.length, this.#queuedBytes)) return undefined;
    return new Promise((resolve) => {
      this.#whenDrained = resolve;
    });
  }

  /** Ends a pending {@link wait}, so that its caller can check its own conditions. */
  nudge(): void {
    this.#notify();
  }

  /** The events of a revision are one batch: drop all of them if the last one does not fit. */
  #dropRevision(revision: number): void {
    while (this.#queue.at(-1)?.revision === revision) this.#queue.pop();
  }

  /** At most one wake-up per turn of the event loop, because readers write in batches. */
  #notify(): void {
    if (this.#wake === undefined || this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const wake = this.#wake;
      this.#wake = undefined;
      wake?.();
    });
  }
}
