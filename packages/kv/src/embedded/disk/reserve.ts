import { randomBytes } from 'node:crypto';
import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const RESERVE_FILE = 'reserve';
/** Enough for deletions and a compaction, whose pages LMDB reuses two commits later. */
export const RESERVE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/**
 * Disk space set aside for deletions on a full disk. LMDB writes before it frees, so a store without any space could
 * not even delete.
 */
export class Reserve {
  readonly #file: string;
  #bytes: number;

  constructor(directory: string) {
    this.#file = join(directory, RESERVE_FILE);
    this.#bytes = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isWhole(): boolean {
    return this.#bytes >= RESERVE_BYTES;
  }

  /** Allocates the available space, up to the full size. */
  fill(): void {
    if (this.isWhole) return;
    try {
      const descriptor = openSync(this.#file, 'a', 0o600);
      try {
        // A compressing file system would reserve no space for zeros.
        while (!this.isWhole) this.#bytes += writeSync(descriptor, randomBytes(CHUNK_BYTES));
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // A partial reserve is better than none. If the disk has another fault, the next commit reports it.
    }
  }

  release(): void {
    if (this.#bytes > 0) truncateSync(this.#file);
    this.#bytes = 0;
  }
}
