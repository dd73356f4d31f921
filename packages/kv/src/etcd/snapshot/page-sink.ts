import type { FileHandle } from 'node:fs/promises';
import { PAGE_HEADER_BYTES } from './bolt-format.js';

/** The size that etcd chooses on most machines. A reader takes it from the file. */
export const PAGE_BYTES = 4096;
/** How much is collected before it is written. */
const WRITE_BYTES = 1024 * 1024;

/** Writes pages to an empty file, in order, beginning with `firstPage`. Those before it stay empty. */
export class PageSink {
  readonly #file: FileHandle;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #next: number;

  constructor(file: FileHandle, firstPage: number) {
    this.#file = file;
    this.#next = firstPage;
    this.#waiting.push(Buffer.alloc(firstPage * PAGE_BYTES));
  }

  /** The number of pages, with those before the first one. */
  get pages(): number {
    return this.#next;
  }

  /** Completes the header of a page, and fills it with zeros to the end of its last block. Resolves with the number of the page. */
  async add(content: Buffer, flags: number, count: number): Promise<number> {
    const blocks = Math.ceil(content.length / PAGE_BYTES);
    const page = Buffer.alloc(blocks * PAGE_BYTES);
    content.copy(page);
    const id = this.#next;
    page.writeBigUInt64LE(BigInt(id), 0);
    page.writeUInt16LE(flags, 8);
    page.writeUInt16LE(count, 10);
    page.writeUInt32LE(blocks - 1, 12);
    this.#next += blocks;
    this.#waiting.push(page);
    this.#waitingBytes += page.length;
    if (this.#waitingBytes >= WRITE_BYTES) await this.flush();
    return id;
  }

  async flush(): Promise<void> {
    const chunk = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    // It continues where the last one ended.
    await this.#file.writeFile(chunk);
  }
}

/** A page without content. */
export const emptyPage = (): Buffer => Buffer.alloc(PAGE_HEADER_BYTES);
