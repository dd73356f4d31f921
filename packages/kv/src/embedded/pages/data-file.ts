import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import type { KVError } from '../../interface/index.js';
import { damagedFile } from '../disk/failure.js';

export const DATA_FILE = 'data.mdb';
/** The page size of every store that this program creates. */
export const DEFAULT_PAGE_SIZE = 16384;

/*
 * LMDB trusts its file and maps it into memory: a foreign or truncated file ends the process with a signal. So its two
 * meta pages are checked first.
 */
const MAGIC = 0xbeefc0de;
const LMDB_DATA_VERSION = 2;
const META_FLAG = 8;
const FLAGS_OFFSET = 18;
const MAGIC_OFFSET = 24;
const VERSION_OFFSET = 28;
const ADDRESS_OFFSET = 32;
const PAGE_SIZE_OFFSET = 48;
const PAGE_TRANSACTION_OFFSET = 8;
const FREE_ROOT_OFFSET = 88;
/** The depth of the tree of tables, which fit on one page. */
const DEPTH_OFFSET = 102;
const ROOT_OFFSET = 136;
const LARGEST_PAGE = 2n ** 32n;
/** LMDB loses count of larger ones. */
const LARGEST_TRANSACTION = 2n ** 48n;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const LAST_PAGE_OFFSET = 144;
const TRANSACTION_OFFSET = 152;
const META_BYTES = 160;

/** Pages that a commit allocated and freed are never written, so an intact file may be this much too short. */
export const UNWRITTEN_PAGES = 64;

export interface Metas {
  readonly pageSize: number;
  /** The meta page of the newest commit. */
  readonly newest: Buffer;
  /** False if the other meta page is corrupt and may have been of a newer commit. */
  readonly isNewestKnown: boolean;
}

/**
 * Throws `corrupt` unless the file is absent or looks like a whole LMDB file. Pages at its end that were never written may be missing;
 * `page-check.ts` checks that these are free.
 */
export function checkDataFile(file: string): void {
  missingBytes(file);
}

/** Adds the pages at the end of a checked file that were never written. LMDB maps them. */
export function extendDataFile(file: string): void {
  const missing = missingBytes(file);
  if (missing > 0) truncateSync(file, statSync(file).size + missing);
}

/** How many bytes the file is too short. Throws `corrupt` if they are too many, or the meta pages are damaged. */
function missingBytes(file: string): number {
  if (!existsSync(file)) return 0;
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    // The process was killed while it created the store.
    if (size === 0) return 0;
    const { pageSize, newest } = readMetas(file, descriptor);
    const wanted = (Number(newest.readBigUInt64LE(LAST_PAGE_OFFSET)) + 1) * pageSize;
    if (size < wanted - UNWRITTEN_PAGES * pageSize) {
      throw damagedFile(file, `it has ${size} bytes, not ${wanted}`);
    }
    return Math.max(0, wanted - size);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws `corrupt` unless the file begins with the meta pages of two consecutive commits. */
export function readMetas(file: string, descriptor: number): Metas {
  const pageSize = readMeta(descriptor, 0).readUInt32LE(PAGE_SIZE_OFFSET);
  if (pageSize < 4096 || pageSize > 65536) throw damaged(file);
  const metas = [0, 1].map((number) => readMeta(descriptor, number * pageSize));
  const isSound = (meta: Buffer, number: number): boolean =>
    isMeta(meta, pageSize) && isInPlace(meta, number) && (isEmpty(meta) || leadsToTrees(meta, descriptor, pageSize));
  if (!metas.every(isSound)) throw damaged(file);
  const [older = emptyMeta(), newest = older] = metas.toSorted(byTransaction);
  if (!isEmpty(older) && transaction(newest) - transaction(older) !== 1n) throw damaged(file);
  return { pageSize, newest, isNewestKnown: true };
}

/** LMDB finds the page of a commit by the lowest bit of its transaction. */
function isInPlace(meta: Buffer, number: number): boolean {
  const isOwnPage = isEmpty(meta) || Number(transaction(meta) & 1n) === number;
  return meta.readBigUInt64LE(0) === BigInt(number) && isOwnPage && transaction(meta) < LARGEST_TRANSACTION;
}

/**
 * Like {@link readMetas}, for a file whose meta pages may be corrupt: the newest one whose trees begin where it says,
 * whatever else is wrong with it.
 */
export function readSomeMeta(descriptor: number): Metas {
  const metas = [0, 1].map((number) => readMeta(descriptor, number * DEFAULT_PAGE_SIZE)).toSorted(byTransaction);
  const intact = metas.filter((meta) => leadsToTrees(meta, descriptor, DEFAULT_PAGE_SIZE));
  const [older = emptyMeta(), newest = older] = intact;
  const isNewestKnown = transaction(newest) - transaction(older) === 1n || metas.some(isEmpty);
  return { pageSize: DEFAULT_PAGE_SIZE, newest, isNewestKnown };
}

/** Whether the roots are where the meta page says, and of its transaction. Pages of a copy are of transaction 1. */
function leadsToTrees(meta: Buffer, descriptor: number, pageSize: number): boolean {
  const roots = [FREE_ROOT_OFFSET, ROOT_OFFSET].map((offset) => meta.readBigUInt64LE(offset));
  const pages = roots.filter((root) => root !== NO_PAGE);
  if (pages.length === 0 || pages.some((page) => page < 2n || page > LARGEST_PAGE)) return false;
  const heads = pages.map((page) => ({ page, head: readMeta(descriptor, Number(page) * pageSize) }));
  if (heads.some(({ page, head }) => head.readBigUInt64LE(0) !== page)) return false;
  const written = heads.map(({ head }) => head.readBigUInt64LE(PAGE_TRANSACTION_OFFSET)).reduce(larger);
  return meta.readUInt16LE(DEPTH_OFFSET) === 1 && (written === transaction(meta) || written === 1n);
}

/** Of a file without commits, or of a copy. */
function isEmpty(meta: Buffer): boolean {
  return transaction(meta) === 0n && meta.readBigUInt64LE(ROOT_OFFSET) === NO_PAGE;
}

function byTransaction(a: Buffer, b: Buffer): number {
  return transaction(a) > transaction(b) ? 1 : -1;
}

function emptyMeta(): Buffer {
  const meta = Buffer.alloc(META_BYTES);
  for (const offset of [FREE_ROOT_OFFSET, ROOT_OFFSET]) meta.writeBigUInt64LE(NO_PAGE, offset);
  return meta;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function readMeta(descriptor: number, position: number): Buffer {
  const bytes = Buffer.alloc(META_BYTES);
  readSync(descriptor, bytes, 0, META_BYTES, position);
  return bytes;
}

function isMeta(bytes: Buffer, pageSize: number): boolean {
  return (
    bytes.readUInt32LE(MAGIC_OFFSET) === MAGIC &&
    bytes.readUInt32LE(VERSION_OFFSET) === LMDB_DATA_VERSION &&
    bytes.readUInt32LE(PAGE_SIZE_OFFSET) === pageSize &&
    (bytes.readUInt16LE(FLAGS_OFFSET) & META_FLAG) !== 0 &&
    bytes.readBigUInt64LE(ADDRESS_OFFSET) === 0n
  );
}

function transaction(meta: Buffer): bigint {
  return meta.readBigUInt64LE(TRANSACTION_OFFSET);
}

function damaged(file: string): KVError {
  return damagedFile(file, 'its first pages are damaged, or it is not a data file of this program');
}
