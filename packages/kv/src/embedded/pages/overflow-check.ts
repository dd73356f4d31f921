import { setImmediate as nextTurn } from 'node:timers/promises';
import { damagedFile } from '../disk/failure.js';
import { OVERFLOW, type OverflowReference, PAGE_HEADER_BYTES, type PageFile, readLong } from './page-file.js';

/** Slices end by time, because one page of a cold disk costs as much as hundreds of cached ones. */
const SLICE_MS = 1;

/** Whether the first page of a large value agrees with the entry that points to it. */
export function isSoundOverflow(
  file: PageFile,
  { page, pages }: Pick<OverflowReference, 'page' | 'pages'>,
  header: Buffer = Buffer.allocUnsafe(PAGE_HEADER_BYTES),
): boolean {
  return (
    file.read(page, header) !== undefined &&
    readLong(header, 0) === page &&
    header.readUInt16LE(18) === OVERFLOW &&
    readLong(header, 8) <= file.transaction &&
    header.readUInt32LE(20) === pages
  );
}

/**
 * Checks the first pages of large values once, when the open store has time. LMDB does not check these pages when it
 * reads a value, but trusts them when it frees it. So no value on them may be removed before.
 */
export class OverflowCheck {
  readonly #open: () => PageFile;
  /** Alternating page number and count of pages. */
  #references: readonly number[];
  readonly #now: () => number;
  #done: Promise<void> | undefined;
  #stopped = false;

  /** `now`: monotonic milliseconds. */
  constructor(references: readonly number[], open: () => PageFile, now = () => performance.now()) {
    this.#references = references;
    this.#open = open;
    this.#now = now;
  }

  /**
   * Rejects with `corrupt` for a damaged page, or with the error of the file system. Resolves also if the check was
   * stopped. The first call starts it.
   */
  run(): Promise<void> {
    this.#done ??= this.#run();
    return this.#done;
  }

  stop(): void {
    this.#stopped = true;
  }

  async #run(): Promise<void> {
    const references = this.#references;
    if (references.length === 0) return;
    this.#references = [];
    using file = this.#open();
    let begun = this.#now();
    for (let index = 0; index < references.length && !this.#stopped; index += 2) {
      const [page = 0, pages = 0] = references.slice(index, index + 2);
      if (!isSoundOverflow(file, { page, pages })) throw damagedFile(file.name, `log: page ${page} is damaged`);
      if (this.#now() - begun < SLICE_MS) continue;
      await nextTurn();
      begun = this.#now();
    }
  }
}
