import { crc32 } from 'node:zlib';
import type { LogRecord, RecordHeader } from '../../engine/index.js';
import { KVError } from '../../interface/index.js';
import { checksum } from './checksum.js';
import { readNumber, writeNumber } from './numbers.js';
import { decodeOrigin, lengthOfOrigin, type StoredOrigin } from './origin.js';

/* The records of the log, as layout.ts describes them. */
const PUT = 1;
const DELETE = 2;
const FIXED_BYTES = 36;
const CHECKSUM_BYTES = 4;
const TAG_OFFSET = 28;
const VALUE_CHECKSUM_OFFSET = 32;
const CONDENSED_BYTES = 13;
const HIGH = 0x1_0000_0000;

interface Layout {
  readonly hasOrigin: boolean;
  readonly isCondensed: boolean;
}

/** They differ from each other, and from the 0 that records of format 1 have in this place, in several bits. */
const WHOLE = 0xa5;
const WHOLE_WITH_ORIGIN = 0x5a;
const CONDENSED = 0xc3;
const CONDENSED_WITH_ORIGIN = 0x3c;
const layouts: ReadonlyMap<number | undefined, Layout> = new Map([
  [WHOLE, { hasOrigin: false, isCondensed: false }],
  [WHOLE_WITH_ORIGIN, { hasOrigin: true, isCondensed: false }],
  [CONDENSED, { hasOrigin: false, isCondensed: true }],
  [CONDENSED_WITH_ORIGIN, { hasOrigin: true, isCondensed: true }],
]);

/** How a record has its value when that is no longer whole. */
export interface Condensed {
  /** How many older records have, one by one, their base in the next, up to this one; 0 = none. */
  readonly height: number;
  /** The length of the whole value. */
  readonly length: number;
  /** The revision of the record whose value is the base of the difference; 0 = none. */
  readonly base: number;
}

/** `origin`: its encoded form. */
export function encodeRecord(revision: number, record: LogRecord, origin?: Buffer): Buffer {
  const { type, key, createRevision, previousRevision, expiresAt, tag, value } = record;
  const keyLength = Buffer.byteLength(key);
  const headEnd = FIXED_BYTES + keyLength + (origin?.length ?? 0);
  const bytes = Buffer.allocUnsafe(headEnd + CHECKSUM_BYTES + value.length);
  bytes[0] = type === 'put' ? PUT : DELETE;
  bytes[1] = origin === undefined ? WHOLE : WHOLE_WITH_ORIGIN;
  bytes.writeUInt16BE(keyLength, 2);
  writeNumber(bytes, createRevision, 4);
  writeNumber(bytes, previousRevision, 12);
  writeNumber(bytes, expiresAt, 20);
  bytes.writeUInt32BE(tag, TAG_OFFSET);
  bytes.writeUInt32BE(crc32(value), VALUE_CHECKSUM_OFFSET);
  bytes.write(key, FIXED_BYTES, 'utf8');
  if (origin !== undefined) bytes.set(origin, FIXED_BYTES + keyLength);
  bytes.writeUInt32BE(headChecksum(revision, bytes, headEnd), headEnd);
  bytes.set(value, headEnd + CHECKSUM_BYTES);
  return bytes;
}

/** The same record with `difference` in place of its value. The record is sound and whole. */
export function encodeCondensed(revision: number, whole: Buffer, condensed: Condensed, difference: Buffer): Buffer {
  const wholeEnd = endOfHead(whole);
  const headEnd = wholeEnd + CONDENSED_BYTES;
  const bytes = Buffer.allocUnsafe(headEnd + CHECKSUM_BYTES + difference.length);
  bytes.set(whole.subarray(0, wholeEnd));
  bytes[1] = layoutOf(whole)?.hasOrigin === true ? CONDENSED_WITH_ORIGIN : CONDENSED;
  bytes.writeUInt8(condensed.height, wholeEnd);
  bytes.writeUInt32BE(condensed.length, wholeEnd + 1);
  writeNumber(bytes, condensed.base, wholeEnd + 5);
  bytes.writeUInt32BE(headChecksum(revision, bytes, headEnd), headEnd);
  bytes.set(difference, headEnd + CHECKSUM_BYTES);
  return bytes;
}

/** Throws `corrupt` unless this head was written under this revision. Its value may be corrupt. */
export function decodeHeader(revision: number, bytes: Buffer): RecordHeader {
  requireSoundHead(revision, bytes);
  return {
    type: bytes[0] === PUT ? 'put' : 'delete',
    key: bytes.toString('utf8', FIXED_BYTES, endOfKey(bytes)),
    createRevision: readNumber(bytes, 4),
    previousRevision: readNumber(bytes, 12),
    expiresAt: readNumber(bytes, 20),
    tag: bytes.readUInt32BE(TAG_OFFSET),
  };
}

/** The revision of a log entry; undefined if its key or the head of its record is corrupt. */
export function soundRevision(key: Buffer, bytes: Buffer | undefined): number | undefined {
  if (bytes === undefined || key.length !== 8) return undefined;
  const revision = readNumber(key, 0);
  return isSoundHead(revision, bytes) ? revision : undefined;
}

/** Undefined if the record has none. Throws `corrupt` unless its head is sound. */
export function originIn(revision: number, bytes: Buffer): StoredOrigin | undefined {
  requireSoundHead(revision, bytes);
  return layoutOf(bytes)?.hasOrigin === true ? decodeOrigin(bytes, endOfKey(bytes)) : undefined;
}

/** Throws `corrupt` unless its head is sound. */
export function tagIn(revision: number, bytes: Buffer): number {
  requireSoundHead(revision, bytes);
  return bytes.readUInt32BE(TAG_OFFSET);
}

/** Undefined if the record has its whole value. Throws `corrupt` unless its head is sound. */
export function condensedIn(revision: number, bytes: Buffer): Condensed | undefined {
  requireSoundHead(revision, bytes);
  if (!isCondensed(bytes)) return undefined;
  const start = endOfHead(bytes) - CONDENSED_BYTES;
  return {
    height: bytes.readUInt8(start),
    length: bytes.readUInt32BE(start + 1),
    base: readNumber(bytes, start + 5),
  };
}

export function isCondensed(bytes: Buffer): boolean {
  return layoutOf(bytes)?.isCondensed === true;
}

/** A view on what follows the head: the value or its difference. Does not verify it. Throws `corrupt`. */
export function contentIn(revision: number, bytes: Buffer): Buffer {
  const start = endOfHead(bytes) + CHECKSUM_BYTES;
  if (start > bytes.length) throw damagedRecord(revision);
  return bytes.subarray(start);
}

/** Throws `corrupt` unless the value is that of the record, whose head is sound. */
export function requireSoundValue(revision: number, bytes: Buffer, value: Uint8Array): void {
  if (crc32(value) !== bytes.readUInt32BE(VALUE_CHECKSUM_OFFSET)) throw damagedValue(revision, bytes);
}

export function damagedValue(revision: number, bytes: Buffer): KVError {
  const key = bytes.toString('utf8', FIXED_BYTES, endOfKey(bytes));
  return new KVError('corrupt', `the value of ${JSON.stringify(key)}, of revision ${revision}, is damaged`);
}

function damagedRecord(revision: number): KVError {
  return new KVError('corrupt', `the record of revision ${revision} is damaged`);
}

function requireSoundHead(revision: number, bytes: Buffer): void {
  if (!isSoundHead(revision, bytes)) throw damagedRecord(revision);
}

function layoutOf(bytes: Buffer): Layout | undefined {
  return layouts.get(bytes[1]);
}

function endOfKey(bytes: Buffer): number {
  return FIXED_BYTES + bytes.readUInt16BE(2);
}

/** The position of the checksum of a record's head; infinite if its lengths or its layout are not possible. */
function endOfHead(bytes: Buffer): number {
  const layout = layoutOf(bytes);
  if (bytes.length < FIXED_BYTES || layout === undefined) return Number.POSITIVE_INFINITY;
  const keyEnd = endOfKey(bytes);
  const originEnd = layout.hasOrigin ? keyEnd + lengthOfOrigin(bytes, keyEnd) : keyEnd;
  return layout.isCondensed ? originEnd + CONDENSED_BYTES : originEnd;
}

function isSoundHead(revision: number, bytes: Buffer): boolean {
  const headEnd = endOfHead(bytes);
  return (
    headEnd + CHECKSUM_BYTES <= bytes.length && bytes.readUInt32BE(headEnd) === headChecksum(revision, bytes, headEnd)
  );
}

function headChecksum(revision: number, bytes: Buffer, headEnd: number): number {
  const seed = (Math.floor(revision / HIGH) ^ (revision % HIGH)) >>> 0;
  return checksum(bytes, 0, headEnd, seed);
}
