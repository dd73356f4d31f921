import { SerialQueue } from '@binnacle/apimachinery/turns';
import { type ForgottenValues, KVError } from '../interface/index.js';
import type { Backend, ForgottenState } from './backend.js';
import type { Compaction } from './compaction.js';
import { unlessDamaged } from './damage.js';
import type { Writer } from './writer.js';

/** How many heads of records to read, and how many values to remove, before other work has its turn. */
const HEADS_PER_SLICE = 2000;
const MOST_VALUES_PER_SLICE = 512;

export interface ForgettingOptions {
  readonly backend: Backend;
  readonly writer: Writer;
  /** Knows which values readers have pinned. Those stay for now. */
  readonly compaction: Compaction;
}

/** Which keys a read includes. */
export interface KeyRange {
  readonly prefix: string;
  readonly exact?: boolean;
}

/**
 * Compacts the values under a prefix, at once for readers, then record by record. Events are taken in their order. So
 * no key keeps a value that is older than a forgotten one, or a difference whose base is forgotten.
 */
export class Forgetting {
  readonly #options: ForgettingOptions;
  readonly #states: Map<string, ForgottenState>;
  readonly #removals = new SerialQueue();
  #valuesPerSlice = MOST_VALUES_PER_SLICE;
  #stopped = false;

  constructor(options: ForgettingOptions) {
    this.#options = options;
    this.#states = new Map(options.backend.initialState().forgotten);
  }

  /** By prefix: up to which revision superseded values are forgotten. */
  revisions(): ReadonlyMap<string, number> {
    return new Map([...this.#states].map(([prefix, { revision }]) => [prefix, revision]));
  }

  /** Resolves when the values that no pin holds are removed. Readers are refused earlier. */
  async forget(prefix: string, revision: number): Promise<void> {
    const { backend, writer } = this.#options;
    if (revision > (this.#states.get(prefix)?.revision ?? 0)) {
      await writer.chore(async () => {
        const { revision: known, removed } = this.#states.get(prefix) ?? { revision: 0, removed: 0 };
        if (revision <= known) return;
        const state = { revision, removed };
        await backend.markForgotten(prefix, state);
        this.#states.set(prefix, state);
      });
    }
    await this.#remove(prefix);
  }

  /** Continues what an earlier process did not finish. */
  async resume(): Promise<void> {
    for (const prefix of this.#states.keys()) await this.#remove(prefix);
  }

  /** Throws `compacted` if a read of these keys at `revision` may need a forgotten value. */
  checkReadable({ prefix, exact = false }: KeyRange, revision: number): void {
    for (const [own, { revision: oldest }] of this.#states) {
      const overlaps = prefix.startsWith(own) || (!exact && own.startsWith(prefix));
      if (overlaps && revision < oldest) throw forgotten({ prefix: own, revision: oldest });
    }
  }

  /** Throws `compacted` if the value of the key that an event superseded is forgotten. */
  requireValue(key: string, supersededAt: number): void {
    for (const [prefix, { revision }] of this.#states) {
      if (key.startsWith(prefix) && supersededAt <= revision) throw forgotten({ prefix, revision });
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  /** One prefix after the other. */
  #remove(prefix: string): Promise<void> {
    return this.#removals.run(() => this.#removeValues(prefix));
  }

  async #removeValues(prefix: string): Promise<void> {
    if (this.#reachable(prefix) <= this.#removed(prefix) || this.#stopped) return;
    await this.#options.backend.prepareRemoval();
    while (!this.#stopped && this.#reachable(prefix) > this.#removed(prefix)) {
      await this.#options.writer.chore(() => this.#removeSlice(prefix));
    }
  }

  #removed(prefix: string): number {
    return Math.max(this.#states.get(prefix)?.removed ?? 0, this.#options.compaction.removedRevision);
  }

  #reachable(prefix: string): number {
    return this.#options.compaction.newestUnpinned(this.#states.get(prefix)?.revision ?? 0, prefix);
  }

  async #removeSlice(prefix: string): Promise<void> {
    const { backend } = this.#options;
    const target = this.#reachable(prefix);
    const end = Math.min(target, this.#removed(prefix) + HEADS_PER_SLICE);
    const revisions: number[] = [];
    let reached = this.#removed(prefix);
    for (; reached < end && revisions.length < this.#valuesPerSlice; reached += 1) {
      // Without a readable head the superseded record is unknown. It stays until the store is repaired.
      const header = unlessDamaged(() => backend.header(reached + 1));
      if (header === undefined || header.previousRevision === 0 || !header.key.startsWith(prefix)) continue;
      const former = unlessDamaged(() => backend.header(header.previousRevision));
      if (former?.type === 'put' && former.isForgotten !== true) revisions.push(header.previousRevision);
    }
    const state = { revision: this.#states.get(prefix)?.revision ?? 0, removed: reached };
    // A commit costs a write to the disk, which progress alone is not worth before the end.
    if (revisions.length > 0 || reached >= target) {
      try {
        await backend.forgetValues(revisions, prefix, state);
      } catch (error) {
        // Removal needs space before it frees any. On a full disk, fewer values may still fit.
        const isFull = error instanceof KVError && error.code === 'full';
        if (!isFull || this.#valuesPerSlice === 1) throw error;
        this.#valuesPerSlice = Math.ceil(this.#valuesPerSlice / 8);
        return;
      }
      this.#valuesPerSlice = MOST_VALUES_PER_SLICE;
    }
    this.#states.set(prefix, state);
  }
}

function forgotten(values: ForgottenValues): KVError {
  const { prefix, revision } = values;
  const message = `the values under ${JSON.stringify(prefix)} before revision ${revision} are forgotten`;
  return new KVError('compacted', message, { forgotten: values });
}
