import { setImmediate as nextTurn } from 'node:timers/promises';
import { OVERFLOW, type OverflowReference, PAGE_HEADER_BYTES, type PageFile, readLong } from './page-file.js';

/** About half a millisecond of reading. */
const PAGES_PER_SLICE = 200;

/** Whether the page that a large value begins on says the same of itself as the entry that leads to it. */
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
 * Tests the pages that large values begin on, once, when the store is open and has time for it. LMDB reads values without a look at what
 * these pages say of themselves, and trusts it when it frees them: nothing that lies on them may be removed before.
 */
export class OverflowCheck {
  readonly #open: () => PageFile;
  /** Page and number of pages, by turns. */
  #references: readonly number[];
  #problem: Promise<string | undefined> | undefined;
  #stopped = false;

  constructor(references: readonly number[], open: () => PageFile) {
    this.#references = references;
    this.#open = open;
  }

  /** What is damaged, half a sentence; undefined = nothing, or stopped before it was found. Begins with the first call. */
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
