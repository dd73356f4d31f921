import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import type { KVError } from '../interface/index.js';
import { damagedFile } from './failure.js';

export const DATA_FILE = 'data.mdb';
/** Of every store that this program makes. */
export const DEFAULT_PAGE_SIZE = 16384;

/*
 * LMDB trusts its file and maps it into memory: one that is not LMDB's, or that was cut short, ends the process with a
 * signal. So its two meta pages are looked at first.
 */
const MAGIC = 0xbeefc0de;
const LMDB_DATA_VERSION = 2;
const META_FLAG = 8;
const FLAGS_OFFSET = 18;
const MAGIC_OFFSET = 24;
const VERSION_OFFSET = 28;
const ADDRESS_OFFSET = 32;
const PAGE_SIZE_OFFSET = 48;
const FREE_ROOT_OFFSET = 88;
const ROOT_OFFSET = 136;
const LARGEST_PAGE = 2n ** 32n;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
const LAST_PAGE_OFFSET = 144;
const TRANSACTION_OFFSET = 152;
const META_BYTES = 160;

/** Pages that a commit took and gave back are never written, so a sound file may end this much early. */
const UNWRITTEN_PAGES = 64;

export interface Metas {
  readonly pageSize: number;
  /** The meta page of the newest commit. */
  readonly newest: Buffer;
  /** There has been no commit before: the file is new, or a copy. */
  readonly isFirst: boolean;
}

/**
 * Throws `corrupt` unless the file is absent or looks like a whole LMDB file. Gives the end back that was never written,
 * unless the file is only to be `read`: somebody else may be writing it.
 */
export function checkDataFile(file: string, use: 'read' | 'write' = 'write'): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, use === 'read' ? 'r' : 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  try {
    const { size } = fstatSync(descriptor);
    // Created and never written: the process was killed while it opened its first store.
    if (size === 0) return;
    const { pageSize, newest } = readMetas(file, descriptor);
    const wanted = (Number(newest.readBigUInt64LE(LAST_PAGE_OFFSET)) + 1) * pageSize;
    if (size < wanted - UNWRITTEN_PAGES * pageSize) {
      throw damagedFile(file, `it has ${size} bytes, not ${wanted}`);
    }
    if (size < wanted && use === 'write') ftruncateSync(descriptor, wanted);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws `corrupt` unless the file begins with two meta pages of commits that follow each other. */
export function readMetas(file: string, descriptor: number): Metas {
  const pageSize = readMeta(descriptor, 0).readUInt32LE(PAGE_SIZE_OFFSET);
  if (!isMeta(readMeta(descriptor, 0), pageSize) || pageSize < 4096 || pageSize > 65536) throw damaged(file);
  const [first, second] = [readMeta(descriptor, 0), readMeta(descriptor, pageSize)];
  if (!isMeta(second, pageSize)) throw damaged(file);
  const [older, newest] = transaction(first) > transaction(second) ? [second, first] : [first, second];
  const isFirst = transaction(older) === 0n && older.readBigUInt64LE(ROOT_OFFSET) === NO_PAGE;
  if (!isFirst && transaction(newest) - transaction(older) !== 1n) throw damaged(file);
  return { pageSize, newest, isFirst };
}

/** As {@link readMetas}, of a file that may be damaged there too: the newest of those meta pages whose trees bear it out. */
export function readSomeMeta(descriptor: number): Metas {
  const candidates = [0, DEFAULT_PAGE_SIZE].map((position) => readMeta(descriptor, position));
  const sound = candidates.filter((meta) => isMeta(meta, DEFAULT_PAGE_SIZE));
  const written = (meta: Buffer): bigint => {
    const roots = [FREE_ROOT_OFFSET, ROOT_OFFSET].map((offset) => meta.readBigUInt64LE(offset));
    const pages = roots.filter((root) => root < LARGEST_PAGE).map((root) => Number(root) * DEFAULT_PAGE_SIZE);
    return pages.map((position) => readMeta(descriptor, position).readBigUInt64LE(8)).reduce(larger, 0n);
  };
  const newest = sound.toSorted((a, b) => (written(a) > written(b) ? -1 : 1))[0] ?? emptyMeta();
  return { pageSize: DEFAULT_PAGE_SIZE, newest, isFirst: false };
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
  return damagedFile(file, 'it has no sound beginning, or is no data file of this program');
}
