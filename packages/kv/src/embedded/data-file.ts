import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { KVError } from '../interface/index.js';

/*
 * LMDB trusts its file and maps it into memory: one that is not LMDB's, or that was cut short, ends the process with a
 * signal. So its two meta pages are looked at first.
 */
const MAGIC = 0xbeefc0de;
const LMDB_DATA_VERSION = 2;
const MAGIC_OFFSET = 24;
const VERSION_OFFSET = 28;
const PAGE_SIZE_OFFSET = 48;
const LAST_PAGE_OFFSET = 144;
const TRANSACTION_OFFSET = 152;
const META_BYTES = 160;

/** Pages that a commit took and gave back are never written, so a sound file may end this much early. */
const UNWRITTEN_PAGES = 64;

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
    const pageSize = readMeta(descriptor, 0).readUInt32LE(PAGE_SIZE_OFFSET);
    if (!isMeta(readMeta(descriptor, 0)) || pageSize < 4096 || pageSize > 65536) throw damaged(file);
    const metas = [readMeta(descriptor, 0), readMeta(descriptor, pageSize)];
    if (!metas.every(isMeta)) throw damaged(file);
    const [newest] = metas.sort((a, b) => compare(transaction(b), transaction(a)));
    if (newest === undefined) throw damaged(file);
    const wanted = (Number(newest.readBigUInt64LE(LAST_PAGE_OFFSET)) + 1) * pageSize;
    if (size < wanted - UNWRITTEN_PAGES * pageSize) throw damaged(file);
    if (size < wanted && use === 'write') ftruncateSync(descriptor, wanted);
  } finally {
    closeSync(descriptor);
  }
}

function readMeta(descriptor: number, position: number): Buffer {
  const bytes = Buffer.alloc(META_BYTES);
  readSync(descriptor, bytes, 0, META_BYTES, position);
  return bytes;
}

function isMeta(bytes: Buffer): boolean {
  return bytes.readUInt32LE(MAGIC_OFFSET) === MAGIC && bytes.readUInt32LE(VERSION_OFFSET) === LMDB_DATA_VERSION;
}

function transaction(meta: Buffer): bigint {
  return meta.readBigUInt64LE(TRANSACTION_OFFSET);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function damaged(file: string): KVError {
  return new KVError('corrupt', `${file} is damaged or not a data file of this program`);
}
