import type { ObjectChange, ObjectEvent, ObjectFilter } from './event.js';

export interface WatcherOptions {
  /** Only keys that begin with this. */
  readonly prefix: string;
  readonly filter: ObjectFilter | undefined;
  /** Events at or below this revision are not for this watcher. */
  readonly fromRevision: number;
  /** How many events may wait before the watcher counts as fallen behind. */
  readonly capacity: number;
}

/** Why a watcher has ended. */
export type WatcherEnd =
  | { readonly type: 'fell-behind' }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly error: Error };

/**
 * One reader of a stream of changes, with a bounded queue between. The writer's side (`offer`, `end`) never waits; the
 * reader takes everything that waits at once. A watcher that falls behind is ended, never thinned out.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  #queue: ObjectEvent[] = [];
  #ended: WatcherEnd | undefined;
  #wake: (() => void) | undefined;
  #scheduled = false;
  #primed = 0;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get ended(): WatcherEnd | undefined {
    return this.#ended;
  }

  get idle(): boolean {
    return this.#queue.length === 0;
  }

  /** Puts events in front of everything offered later: the initial state. Not counted against the capacity. */
  prime(events: readonly ObjectEvent[]): void {
    this.#queue = this.#queue.length === 0 ? [...events] : this.#queue.concat(events);
    this.#primed = events.length;
    this.#notify();
  }

  offer(change: ObjectChange): void {
    if (this.#ended !== undefined) return;
    if (change.revision <= this.#options.fromRevision || !change.key.startsWith(this.#options.prefix)) return;
    const event = change.seenThrough(this.#options.filter);
    if (event === undefined) return;
    if (this.#queue.length >= this.#options.capacity + this.#primed) {
      this.end({ type: 'fell-behind' });
      return;
    }
    this.#queue.push(event);
    this.#notify();
  }

  /** The first end counts. What is queued is still taken before it. */
  end(reason: WatcherEnd): void {
    this.#ended ??= reason;
    this.#notify();
  }

  /** Settles when there is something to take, when the watcher has ended, or after {@link nudge}. One waiter at a time. */
  async wait(): Promise<void> {
    if (this.#queue.length > 0 || this.#ended !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /** All events that wait, in order. */
  take(): readonly ObjectEvent[] {
    const events = this.#queue;
    this.#queue = [];
    this.#primed = 0;
    return events;
  }

  /** Ends a pending {@link wait}, so that its caller can look around. */
  nudge(): void {
    this.#notify();
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
