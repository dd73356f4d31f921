import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Metas, readMetas, readSomeMeta } from './data-file.js';

/*
 * LMDB's data file as bytes, read without LMDB, which maps and trusts it. A page begins with its number(8), the
 * transaction that wrote it(8), padding(2), flags(2), and then lower(2) upper(2) or, for an overflow page, a count(4).
 * Offsets of nodes follow, two bytes each, counted from the end of the header; nodes fill the page from its end.
 * Numbers are little-endian.
 */
export const PAGE_HEADER_BYTES = 24;
export const NODE_HEADER_BYTES = 8;
const HIGH = 0x1_0000_0000;

export const BRANCH = 1;
export const LEAF = 2;
export const OVERFLOW = 4;
export const BIG_DATA = 1;
export const SUB_DATA = 2;
const TREE_BYTES = 48;
const OVERFLOW_REFERENCE_BYTES = 24;
/** LMDB's marker of a tree without pages. */
const NO_PAGE = 2n ** 64n - 1n;

/** LMDB's record of a tree. */
export interface TreeRecord {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** Undefined for an empty tree. */
  readonly root: number | undefined;
}

export interface PageNode {
  readonly flags: number;
  readonly key: Buffer;
  /** For a leaf: the value, or the reference to its overflow pages. */
  readonly data: Buffer;
  /** The size of the value itself. */
  readonly valueBytes: number;
  /** For a branch: the page below. */
  readonly child: number;
}

/** An open data file at its newest commit. */
export class PageFile implements Disposable {
  readonly name: string;
  readonly pageSize: number;
  readonly pages: number;
  readonly lastPage: number;
  readonly transaction: number;
  /** False if the file may hold a newer commit, to which no intact meta page leads. */
  readonly isNewestKnown: boolean;
  readonly freeTree: TreeRecord;
  readonly mainTree: TreeRecord;
  readonly #descriptor: number;

  private constructor(name: string, descriptor: number, metas: Metas) {
    this.name = name;
    this.#descriptor = descriptor;
    const { pageSize, newest, isNewestKnown } = metas;
    this.isNewestKnown = isNewestKnown;
    this.pageSize = pageSize;
    this.pages = Math.ceil(fstatSync(descriptor).size / pageSize);
    this.lastPage = readLong(newest, 144);
    this.transaction = readLong(newest, 152);
    this.freeTree = readTree(newest.subarray(48));
    this.mainTree = readTree(newest.subarray(48 + TREE_BYTES));
  }

  /** Throws `corrupt` if this is not a data file. */
  static open(name: string): PageFile {
    return PageFile.#open(name, (descriptor) => readMetas(name, descriptor));
  }

  /** Opens a file that may be a data file with any damage. */
  static openDamaged(name: string): PageFile {
    return PageFile.#open(name, readSomeMeta);
  }

  static #open(name: string, read: (descriptor: number) => Metas): PageFile {
    const descriptor = openSync(name, 'r');
    try {
      return new PageFile(name, descriptor, read(descriptor));
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** Reads `bytes` from the start of a page; undefined if the file does not have them. */
  read(number: number, bytes: Buffer = Buffer.allocUnsafe(this.pageSize)): Buffer | undefined {
    if (number >= this.pages) return undefined;
    const length = readSync(this.#descriptor, bytes, 0, bytes.length, number * this.pageSize);
    return length === bytes.length ? bytes : undefined;
  }

  /** The value of a leaf's node; undefined if its overflow pages are missing. */
  value({ flags, data, valueBytes }: PageNode): Buffer | undefined {
    if ((flags & BIG_DATA) === 0) return data;
    const { page, pages } = readOverflow(data);
    if (page + pages > this.pages || pages !== this.overflowPagesFor(valueBytes)) return undefined;
    return this.read(page, Buffer.allocUnsafe(pages * this.pageSize))?.subarray(
      PAGE_HEADER_BYTES,
      PAGE_HEADER_BYTES + valueBytes,
    );
  }

  overflowPagesFor(valueBytes: number): number {
    return Math.floor((PAGE_HEADER_BYTES - 1 + valueBytes) / this.pageSize) + 1;
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

export function readTree(bytes: Buffer): TreeRecord {
  return {
    flags: bytes.readUInt16LE(4),
    depth: bytes.readUInt16LE(6),
    branchPages: readLong(bytes, 8),
    leafPages: readLong(bytes, 16),
    overflowPages: readLong(bytes, 24),
    entries: readLong(bytes, 32),
    root: bytes.readBigUInt64LE(40) === NO_PAGE ? undefined : readLong(bytes, 40),
  };
}

export function isTreeRecord({ flags, data }: PageNode): boolean {
  return (flags & SUB_DATA) !== 0 && data.length === TREE_BYTES;
}

export interface OverflowReference {
  readonly page: number;
  readonly pages: number;
  readonly transaction: number;
}

export function readOverflow(data: Buffer): OverflowReference {
  return { page: readLong(data, 0), transaction: readLong(data, 8), pages: readLong(data, 16) };
}

/** The number of nodes on a page; undefined if the header is invalid. */
export function nodeCount(page: Buffer): number | undefined {
  const lower = page.readUInt16LE(20);
  const upper = page.readUInt16LE(22);
  return lower % 2 === 0 && lower <= upper && upper <= page.length - PAGE_HEADER_BYTES ? lower >> 1 : undefined;
}

/** Undefined if the node does not lie within the page. */
export function readNode(page: Buffer, index: number, isBranch: boolean): PageNode | undefined {
  return readNodeAt(page, nodeStart(page, index), isBranch);
}

export function nodeStart(page: Buffer, index: number): number {
  return PAGE_HEADER_BYTES + page.readUInt16LE(PAGE_HEADER_BYTES + index * 2);
}

export function readNodeAt(page: Buffer, start: number, isBranch: boolean): PageNode | undefined {
  if (start + NODE_HEADER_BYTES > page.length) return undefined;
  const low = page.readUInt32LE(start);
  const flags = page.readUInt16LE(start + 4);
  const keyEnd = start + NODE_HEADER_BYTES + page.readUInt16LE(start + 6);
  if (keyEnd > page.length) return undefined;
  const key = page.subarray(start + NODE_HEADER_BYTES, keyEnd);
  if (isBranch) return { flags: 0, key, data: key.subarray(0, 0), valueBytes: 0, child: low + flags * HIGH };
  const end = keyEnd + ((flags & BIG_DATA) === 0 ? low : OVERFLOW_REFERENCE_BYTES);
  if (end > page.length) return undefined;
  return { flags, key, data: page.subarray(keyEnd, end), valueBytes: low, child: 0 };
}

/** The bytes that the node occupies on its page. */
export function nodeBytes({ key, data }: PageNode): number {
  const bytes = NODE_HEADER_BYTES + key.length + data.length;
  return bytes + (bytes % 2);
}

export function readLong(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4) * HIGH;
}
