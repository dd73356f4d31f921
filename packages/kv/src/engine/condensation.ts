import { type Clock, repeat } from '@binnacle/apimachinery/clock';
import type { Backend } from './backend.js';
import type { Compaction } from './compaction.js';
import { findRevisionAt } from './history.js';
import type { Writer } from './writer.js';

/**
 * A backend's way to store superseded values in less space. They read as before, more slowly. The caller calls nothing else
 * that writes until the promise settles.
 */
export interface Condenser {
  /**
   * The progress: the values that events up to this revision superseded have been condensed, or stay whole for good. It never goes down.
   */
  readonly condensedRevision: number;
  /**
   * Condenses the values that the events after `condensedRevision`, up to `through`, superseded. May stop earlier if values are large.
   * Atomic; rejects with a `KVError`.
   */
  condense(through: number): Promise<void>;
}

export interface CondensingOptions {
  readonly condenser: Condenser;
  /** The age of a superseded value at which it is condensed. */
  readonly afterMilliseconds: number;
  /** How often to look for such values. */
  readonly everyMilliseconds: number;
}

export interface CondensationOptions extends CondensingOptions {
  readonly backend: Backend;
  readonly writer: Writer;
  /** Knows which values readers have pinned. Those stay as they are. */
  readonly compaction: Compaction;
  readonly clock: Clock;
  readonly now: () => number;
}

/** Takes some milliseconds. */
const EVENTS_PER_SLICE = 32;

/** Condenses old values from time to time, in slices that alternate with writes. */
export class Condensation {
  readonly #options: CondensationOptions;
  readonly #timer: Disposable;
  #running = false;
  #stopped = false;

  constructor(options: CondensationOptions) {
    this.#options = options;
    const { clock, everyMilliseconds } = options;
    this.#timer = repeat(clock, everyMilliseconds, () => {
      // A failure leaves work for the next time. Writes report what is wrong with the store.
      this.#run().catch(() => undefined);
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#timer[Symbol.dispose]();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      const { condenser, backend, writer } = this.#options;
      const target = this.#target();
      if (this.#limit(target) <= condenser.condensedRevision) return;
      await backend.prepareRemoval();
      while (!this.#stopped && this.#limit(target) > condenser.condensedRevision) {
        await writer.chore(() => this.#condenseSlice(target));
      }
    } finally {
      this.#running = false;
    }
  }

  async #condenseSlice(target: number): Promise<void> {
    const { condenser } = this.#options;
    const through = Math.min(this.#limit(target), condenser.condensedRevision + EVENTS_PER_SLICE);
    if (!this.#stopped && through > condenser.condensedRevision) await condenser.condense(through);
  }

  /** The newest event of the wanted age; 0 if all are younger. */
  #target(): number {
    const { backend, writer, compaction, afterMilliseconds, now } = this.#options;
    const known = { newest: writer.revision, compacted: compaction.compactedRevision, time: now() - afterMilliseconds };
    return findRevisionAt(backend, known) ?? 0;
  }

  #limit(target: number): number {
    return this.#options.compaction.newestUnpinned(target);
  }
}
