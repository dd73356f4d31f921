import { randomBytes } from 'node:crypto';
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const RESERVE_FILE = 'reserve';
/** Enough for deletions and a compaction, whose pages LMDB uses again two commits later. */
export const RESERVE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/**
 * Space on the disk that is taken while there is some, for deletions when there is none: a store with no space at all could
 * not even delete, for LMDB writes before it frees.
 */
export class Reserve {
  readonly #file: string;
  #bytes: number;

  constructor(directory: string) {
    this.#file = join(directory, RESERVE_FILE);
    this.#bytes = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  get isWhole(): boolean {
    return this.#bytes >= RESERVE_BYTES;
  }

  /** Takes what there is, up to the whole. */
  fill(): void {
    if (this.isWhole) return;
    try {
      const descriptor = openSync(this.#file, 'a', 0o600);
      try {
        // A file system that compresses would keep no space for zeros.
        while (!this.isWhole) this.#bytes += writeSync(descriptor, randomBytes(CHUNK_BYTES));
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // Less is better than nothing; a disk that fails otherwise fails the next commit, which says so.
    }
  }

  giveUp(): void {
    if (this.#bytes > 0) truncateSync(this.#file);
    this.#bytes = 0;
  }
}
