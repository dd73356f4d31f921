import { type FileHandle, open } from 'node:fs/promises';
import {
  BRANCH_PAGE,
  BUCKET_ENTRY,
  BUCKET_HEADER_BYTES,
  checksum,
  ELEMENT_BYTES,
  LEAF_PAGE,
  MAGIC,
  META_BYTES,
  PAGE_HEADER_BYTES,
  VERSION,
} from './bolt-format.js';
import { SnapshotError } from './snapshot-error.js';

const PAGE_SIZES = [4096, 8192, 16_384, 32_768, 65_536, 1024, 2048];
/** A tree of this depth has more entries than any file. */
const MAX_DEPTH = 32;
/** A page and those that continue it hold one long value at most. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** Whether a file that begins with these bytes, 20 or more, is one of bbolt. */
export const isBoltHead = (head: Buffer): boolean =>
  head.length >= 20 && head.readUInt32LE(PAGE_HEADER_BYTES) === MAGIC;

interface Meta {
  readonly pageSize: number;
  readonly rootPage: number;
  readonly transaction: bigint;
}

interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
  readonly isBucket: boolean;
}

/**
 * A file of bbolt, read without a lock: nothing may write it meanwhile. Methods reject with a {@link SnapshotError} when the file is damaged. They
 * read no more pages in a walk than the file has, so that a damaged tree ends it.
 */
export class BoltFile implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #size: number;
  readonly #meta: Meta;

  private constructor(file: FileHandle, size: number, meta: Meta) {
    this.#file = file;
    this.#size = size;
    this.#meta = meta;
  }

  static async open(path: string): Promise<BoltFile> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      return new BoltFile(file, size, await newestMeta(file));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The entries of a bucket at the top of the file, in the descending order of their keys. */
  async *descending(bucket: string): AsyncGenerator<{ readonly key: Buffer; readonly value: Buffer }> {
    const walk = { pages: Math.ceil(this.#size / this.#meta.pageSize) };
    for await (const { key, value, isBucket } of this.#walk(await this.#page(this.#meta.rootPage, walk), walk, 0)) {
      if (!isBucket || key.toString() !== bucket) continue;
      if (value.length < BUCKET_HEADER_BYTES) throw new SnapshotError('a bucket is cut off');
      const root = numberAt(value, 0);
      // A small bucket is inside the page of its parent.
      yield* this.#walk(root === 0 ? value.subarray(BUCKET_HEADER_BYTES) : await this.#page(root, walk), walk, 0);
      return;
    }
    throw new SnapshotError(`it has no bucket ${JSON.stringify(bucket)}`);
  }

  async *#walk(page: Buffer, walk: { pages: number }, depth: number): AsyncGenerator<Entry> {
    if (depth > MAX_DEPTH) throw new SnapshotError('its tree of pages has no end');
    if (page.length < PAGE_HEADER_BYTES) throw new SnapshotError('a page is cut off');
    const flags = page.readUInt16LE(8);
    const count = page.readUInt16LE(10);
    if (PAGE_HEADER_BYTES + count * ELEMENT_BYTES > page.length) throw new SnapshotError('a page is cut off');
    for (let index = count - 1; index >= 0; index -= 1) {
      const element = PAGE_HEADER_BYTES + index * ELEMENT_BYTES;
      if (flags === LEAF_PAGE) yield leafEntry(page, element);
      else if (flags === BRANCH_PAGE)
        yield* this.#walk(await this.#page(numberAt(page, element + 8), walk), walk, depth + 1);
      else throw new SnapshotError('a page is neither branch nor leaf');
    }
  }

  async #page(id: number, walk: { pages: number }): Promise<Buffer> {
    const { pageSize } = this.#meta;
    if ((id + 1) * pageSize > this.#size) throw new SnapshotError(`page ${id} is outside of the file`);
    const header = await readAt(this.#file, id * pageSize, PAGE_HEADER_BYTES);
    const pages = header.readUInt32LE(12) + 1;
    const length = pages * pageSize;
    if (id * pageSize + length > this.#size) throw new SnapshotError(`page ${id} is longer than the file`);
    // Long pages count as what they read.
    if ((walk.pages -= pages) < 0) throw new SnapshotError('its pages lead to one another');
    if (length > MAX_PAGE_BYTES) throw new SnapshotError(`page ${id} has ${length} bytes`);
    return readAt(this.#file, id * pageSize, length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

function leafEntry(page: Buffer, element: number): Entry {
  const start = element + page.readUInt32LE(element + 4);
  const valueStart = start + page.readUInt32LE(element + 8);
  const end = valueStart + page.readUInt32LE(element + 12);
  if (end > page.length) throw new SnapshotError('an entry is cut off');
  return {
    key: page.subarray(start, valueStart),
    value: page.subarray(valueStart, end),
    isBucket: (page.readUInt32LE(element) & BUCKET_ENTRY) !== 0,
  };
}

/** The file begins with two pages of this kind, and the last transaction has written one of them. */
async function newestMeta(file: FileHandle): Promise<Meta> {
  const first = await metaAt(file, 0);
  // Where the second one is depends on the size of a page, which a damaged first one does not tell.
  const sizes = first === undefined ? PAGE_SIZES : [first.pageSize];
  const others = await Promise.all(sizes.map((size) => metaAt(file, size)));
  const metas = [first, ...others.filter((other, index) => other?.pageSize === sizes[index])];
  const [newest] = metas
    .filter((meta) => meta !== undefined)
    .sort((one, other) => Number(other.transaction - one.transaction));
  if (newest === undefined) throw new SnapshotError('its first pages are damaged');
  return newest;
}

/** Undefined: there is no such page, or it is damaged. */
async function metaAt(file: FileHandle, position: number): Promise<Meta | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(META_BYTES), 0, META_BYTES, position + PAGE_HEADER_BYTES);
  if (bytesRead < META_BYTES || buffer.readUInt32LE(0) !== MAGIC || buffer.readUInt32LE(4) !== VERSION)
    return undefined;
  if (buffer.readBigUInt64LE(56) !== checksum(buffer.subarray(0, 56))) return undefined;
  const pageSize = buffer.readUInt32LE(8);
  if (!PAGE_SIZES.includes(pageSize)) return undefined;
  return { pageSize, rootPage: numberAt(buffer, 16), transaction: buffer.readBigUInt64LE(48) };
}

function numberAt(bytes: Buffer, offset: number): number {
  const number = Number(bytes.readBigUInt64LE(offset));
  if (!Number.isSafeInteger(number)) throw new SnapshotError('the number of a page is too large');
  return number;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new SnapshotError('the file became shorter');
  return buffer;
}
