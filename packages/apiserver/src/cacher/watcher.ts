import type { ObjectChange, ObjectEvent, ObjectFilter } from './event.js';

export interface WatcherOptions {
  /** Only keys that begin with this. */
  readonly prefix: string;
  readonly filter: ObjectFilter | undefined;
  /** Events at or below this revision are not for this watcher. */
  readonly fromRevision: number;
  /** How many events may wait before the watcher counts as fallen behind... */
  readonly capacity: number;
  /** ...and how many bytes of objects. */
  readonly capacityBytes: number;
  /** Called once when the watcher is ended because it fell behind. */
  readonly fellBehind?: () => void;
}

/** Why a watcher has ended. */
export type WatcherEnd =
  | { readonly type: 'fell-behind' }
  | { readonly type: 'stopped' }
  /** Where its changes came from is gone for now. Nothing is lost: the client resumes after what it has. */
  | { readonly type: 'feed-lost' }
  | { readonly type: 'failed'; readonly error: Error };

/**
 * One reader of a stream of changes, with a bounded queue between. The writer's side (`offer`, `end`) never waits; the
 * reader takes everything that waits at once. A watcher that falls behind is ended, never thinned out, and never in the
 * middle of a revision: whoever resumes after the last revision that was taken misses nothing.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  #queue: ObjectEvent[] = [];
  /** Of the offered events in the queue. */
  #queuedBytes = 0;
  #primed = 0;
  #ended: WatcherEnd | undefined;
  #wake: (() => void) | undefined;
  #scheduled = false;
  #whenEnded: (() => void) | undefined;

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
    return this.#queue.length === 0;
  }

  /** Puts the initial state in front of everything offered later. Not counted against the capacity. */
  prime(events: ObjectEvent[]): void {
    this.#queue = events;
    this.#primed = events.length;
    this.#notify();
  }

  offer(change: ObjectChange): void {
    if (this.#ended !== undefined) return;
    if (change.revision <= this.#options.fromRevision || !change.key.startsWith(this.#options.prefix)) return;
    const event = change.seenThrough(this.#options.filter);
    if (event === undefined) return;
    const { capacity, capacityBytes } = this.#options;
    const waiting = this.#queue.length - this.#primed;
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

  /** The first end counts. What is queued is still taken before it. */
  end(reason: WatcherEnd): void {
    this.#ended ??= reason;
    this.#whenEnded?.();
    this.#notify();
  }

  /** Settles when there is something to take, when the watcher has ended, or after {@link nudge}. One waiter at a time. */
  async wait(): Promise<void> {
    if (this.#queue.length > 0 || this.#ended !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Settles when the watcher has ended, at once and whatever is queued. One waiter at a time. */
  async finished(): Promise<void> {
    if (this.#ended !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#whenEnded = resolve;
    });
  }

  /** All events that wait, in order. */
  take(): readonly ObjectEvent[] {
    const events = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#primed = 0;
    return events;
  }

  /** Ends a pending {@link wait}, so that its caller can look around. */
  nudge(): void {
    this.#notify();
  }

  /** All events of a revision are one batch: without the last of them, none is delivered. */
  #dropRevision(revision: number): void {
    while (this.#queue.length > this.#primed && this.#queue.at(-1)?.revision === revision) this.#queue.pop();
  }

  /** One wake-up a turn of the event loop, however many events came: readers write in batches. */
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
