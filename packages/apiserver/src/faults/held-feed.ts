import type { EventBatch, WatchSink } from '@binnacle/kv';
import type { FeedGate } from '../cacher/index.js';

/** A gate between the store and the caches of one resource. It passes events on, or queues them until it is opened. */
export class HeldFeed implements FeedGate {
  readonly #heldBack: (changes: number) => void;
  #held: boolean;
  readonly #waiting = new Set<HeldSink>();

  /** `heldBack` receives the number of queued changes. */
  constructor(held: boolean, heldBack: (changes: number) => void) {
    this.#held = held;
    this.#heldBack = heldBack;
  }

  get held(): boolean {
    return this.#held;
  }

  set held(held: boolean) {
    this.#held = held;
    if (held) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const sink of waiting) sink.release();
  }

  guard(sink: WatchSink): WatchSink {
    const queue = new HeldSink(sink);
    return {
      batch: (batch) => {
        if (!this.#held) return sink.batch(batch);
        this.#heldBack(batch.events.length);
        this.#waiting.add(queue);
        queue.batches.push(batch);
      },
      progress: (revision) => {
        if (!this.#held) return sink.progress(revision);
        this.#waiting.add(queue);
        queue.progress = revision;
      },
      ended: (error) => {
        // A cache that loses its feed rebuilds from the store.
        this.#waiting.delete(queue);
        sink.ended(error);
      },
      whenReady: () => sink.whenReady?.(),
    };
  }
}

/** The queue of one sink. */
class HeldSink {
  readonly #sink: WatchSink;
  readonly batches: EventBatch[] = [];
  progress = 0;

  constructor(sink: WatchSink) {
    this.#sink = sink;
  }

  release(): void {
    for (const batch of this.batches.splice(0)) this.#sink.batch(batch);
    if (this.progress > 0) this.#sink.progress(this.progress);
    this.progress = 0;
  }
}
