import { setImmediate as nextTurn } from 'node:timers/promises';
import { OVERFLOW, type OverflowReference, PAGE_HEADER_BYTES, type PageFile, readLong } from './page-file.js';

/** About half a millisecond of reading. */
const PAGES_PER_SLICE = 200;

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
  #problem: Promise<string | undefined> | undefined;
  #stopped = false;

  constructor(references: readonly number[], open: () => PageFile) {
    this.#references = references;
    this.#open = open;
  }

  /**
   * The problem as a sentence fragment; undefined if there is none, or the check was stopped. The first call starts it.
   */
  run(): Promise<string | undefined> {
    this.#problem ??= this.#run();
    return this.#problem;
  }

  stop(): void {
    this.#stopped = true;
  }

  async #run(): Promise<string | undefined> {
    const references = this.#references;
    if (references.length === 0) return undefined;
    this.#references = [];
    using file = this.#open();
    for (let index = 0; index < references.length && !this.#stopped; index += 2) {
      const [page = 0, pages = 0] = references.slice(index, index + 2);
      if (!isSoundOverflow(file, { page, pages })) return `log: page ${page} is damaged`;
      if ((index / 2) % PAGES_PER_SLICE === PAGES_PER_SLICE - 1) await nextTurn();
    }
    return undefined;
  }
}
