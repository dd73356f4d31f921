import { KVError } from '../interface/index.js';
import type { Backend } from './backend.js';
import { unlessDamaged } from './damage.js';
import type { Writer } from './writer.js';

const MOST_RECORDS_PER_SLICE = 512;

/** Protects the values that are current at a revision, and all later ones, from compaction. */
export interface Pin {
  /** The revision only increases. */
  advance(revision: number): void;
  /** Like {@link advance}, but only for the values under a prefix, so that they can be forgotten. */
  advanceValues(prefix: string, revision: number): void;
  release(): void;
}

/** Compacts history: at once for readers, then record by record, in slices that alternate with writes. */
export class Compaction {
  readonly #backend: Backend;
  readonly #writer: Writer;
  /** Revisions that readers and watches still need. */
  readonly #pins = new Set<{ revision: number; readonly values: Map<string, number> }>();
  #compacted: number;
  #removed: number;
  #removing: Promise<void> | undefined;
  #recordsPerSlice = MOST_RECORDS_PER_SLICE;
  #stopped = false;
  /** Set while the removal waits for a pin to move. */
  #wakeRemoval: (() => void) | undefined;

  constructor(backend: Backend, writer: Writer) {
    this.#backend = backend;
    this.#writer = writer;
    const { compactedRevision, removedRevision } = backend.initialState();
    this.#compacted = compactedRevision;
    this.#removed = removedRevision;
  }

  get compactedRevision(): number {
    return this.#compacted;
  }

  /** Records that events up to this revision have superseded are removed. */
  get removedRevision(): number {
    return this.#removed;
  }

  /** Resolves when the records are removed. Readers are refused earlier. */
  async compact(revision: number): Promise<void> {
    if (revision > this.#writer.revision) throw futureRevision(revision, this.#writer.revision);
    if (revision > this.#compacted) {
      await this.#writer.chore(async () => {
        if (revision <= this.#compacted) return;
        await this.#backend.markCompacted(revision);
        this.#compacted = revision;
      });
    }
    await this.resume();
  }

  /** Continues a compaction that an earlier process did not finish. */
  async resume(): Promise<void> {
    while (this.#removed < this.#compacted && !this.#stopped) {
      this.#removing ??= this.#remove().finally(() => {
        this.#removing = undefined;
      });
      await this.#removing;
    }
  }

  /** Runs a read, and keeps its revision from compaction until the read settles. */
  async pinned<T>(revision: number, read: () => Promise<T>): Promise<T> {
    const pin = this.pin(revision);
    try {
      return await read();
    } finally {
      pin.release();
    }
  }

  pin(revision: number): Pin {
    const pin = { revision, values: new Map<string, number>() };
    this.#pins.add(pin);
    return {
      advanceValues: (prefix, to) => {
        pin.values.set(prefix, Math.max(pin.values.get(prefix) ?? 0, to));
      },
      advance: (to) => {
        pin.revision = Math.max(pin.revision, to);
        this.#wakeRemoval?.();
      },
      release: () => {
        this.#pins.delete(pin);
        this.#wakeRemoval?.();
      },
    };
  }

  /** The newest revision, up to `target`, at or before all pins; with a prefix, at or before all that pin its values. */
  newestUnpinned(target: number, prefix?: string): number {
    let limit = target;
    for (const { revision, values } of this.#pins) {
      const ofValues = prefix === undefined ? 0 : (values.get(prefix) ?? 0);
      limit = Math.min(limit, Math.max(revision, ofValues));
    }
    return limit;
  }

  stop(): void {
    this.#stopped = true;
    this.#wakeRemoval?.();
  }

  async #remove(): Promise<void> {
    // Not in a chore: writes, and the end of the store, would wait for it.
    await this.#backend.prepareRemoval();
    const target = this.#compacted;
    while (this.#removed < target && !this.#stopped) {
      if (this.newestUnpinned(target) <= this.#removed) {
        await new Promise<void>((resolve) => {
          this.#wakeRemoval = resolve;
        });
        this.#wakeRemoval = undefined;
      } else {
        await this.#writer.chore(() => this.#removeSlice(target));
      }
    }
  }

  async #removeSlice(target: number): Promise<void> {
    const through = Math.min(this.newestUnpinned(target), this.#removed + this.#recordsPerSlice);
    if (this.#stopped || through <= this.#removed) return;
    const revisions: number[] = [];
    for (let revision = this.#removed + 1; revision <= through; revision += 1) {
      // Without a readable header the superseded record is unknown. It stays until the store is repaired.
      const header = unlessDamaged(() => this.#backend.header(revision));
      if (header === undefined) continue;
      if (header.previousRevision > 0) revisions.push(header.previousRevision);
      if (header.type === 'delete') revisions.push(revision);
    }
    try {
      await this.#backend.removeRecords(revisions, through);
    } catch (error) {
      // Removal needs space before it frees any. On a full disk, fewer records may still fit.
      const isFull = error instanceof KVError && error.code === 'full';
      if (!isFull || this.#recordsPerSlice === 1) throw error;
      this.#recordsPerSlice = Math.ceil(this.#recordsPerSlice / 8);
      return;
    }
    this.#removed = through;
    this.#recordsPerSlice = MOST_RECORDS_PER_SLICE;
  }
}

export function futureRevision(revision: number, newest: number): KVError {
  return new KVError('future', `revision ${revision} has not been reached, the newest is ${newest}`);
}
