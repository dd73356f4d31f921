import { crc32 } from 'node:zlib';
import { forgottenValue, type LogRecord, type RecordHeader } from '../../engine/index.js';
import { KVError } from '../../interface/index.js';
import { checksum } from './checksum.js';
import type { DifferenceLengths } from './difference.js';
import { readNumber, writeNumber } from './numbers.js';
import { decodeOrigin, lengthOfOrigin, type StoredOrigin } from './origin.js';

/* The records of the log, as layout.ts describes them. */
const PUT = 1;
const DELETE = 2;
const FIXED_BYTES = 36;
const CHECKSUM_BYTES = 4;
const TAG_OFFSET = 28;
const VALUE_CHECKSUM_OFFSET = 32;
const CONDENSED_BYTES = 9;
const CONDENSED_BYTES_OF_FORMAT_FOUR = 13;
/** A bit of the first byte of a condensed part: it has the form of format 5. */
const IS_SHORT = 0x80;
const HIGH = 0x1_0000_0000;
export const LONGEST_DISTANCE = HIGH - 1;

interface Layout {
  readonly hasOrigin: boolean;
  readonly isCondensed?: true;
  readonly isForgotten?: true;
}

/** The kinds of records. They differ in several bits from each other, and from the 0 that records of format 1 have in this place. */
const WHOLE = 0xa5;
const WHOLE_WITH_ORIGIN = 0x5a;
const CONDENSED = 0xc3;
const CONDENSED_WITH_ORIGIN = 0x3c;
const FORGOTTEN = 0x99;
const FORGOTTEN_WITH_ORIGIN = 0x66;
const layouts: ReadonlyMap<number | undefined, Layout> = new Map<number, Layout>([
  [WHOLE, { hasOrigin: false }],
  [WHOLE_WITH_ORIGIN, { hasOrigin: true }],
  [FORGOTTEN, { hasOrigin: false, isForgotten: true }],
  [FORGOTTEN_WITH_ORIGIN, { hasOrigin: true, isForgotten: true }],
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

/** A condensed record as the store has it. */
export interface StoredCondensed extends Condensed {
  /** The form of the lengths in the difference. */
  readonly lengths: DifferenceLengths;
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

/**
 * The same record with `difference` in place of its value. The record is sound and whole, and its base at most
 * {@link LONGEST_DISTANCE} revisions newer.
 */
export function encodeCondensed(revision: number, whole: Buffer, condensed: Condensed, difference: Buffer): Buffer {
  const wholeEnd = endOfHead(whole);
  const distance = condensed.base === 0 ? 0 : condensed.base - revision;
  const headEnd = wholeEnd + CONDENSED_BYTES;
  const bytes = Buffer.allocUnsafe(headEnd + CHECKSUM_BYTES + difference.length);
  bytes.set(whole.subarray(0, wholeEnd));
  bytes[1] = layoutOf(whole)?.hasOrigin === true ? CONDENSED_WITH_ORIGIN : CONDENSED;
  bytes.writeUInt8(IS_SHORT | condensed.height, wholeEnd);
  bytes.writeUInt32BE(condensed.length, wholeEnd + 1);
  bytes.writeUInt32BE(distance, wholeEnd + 5);
  bytes.writeUInt32BE(headChecksum(revision, bytes, headEnd), headEnd);
  bytes.set(difference, headEnd + CHECKSUM_BYTES);
  return bytes;
}

/** The same record without its value. The record is sound; it may be condensed. */
export function encodeForgotten(revision: number, record: Buffer): Buffer {
  const headEnd = endOfOrigin(record);
  const bytes = Buffer.allocUnsafe(headEnd + CHECKSUM_BYTES);
  bytes.set(record.subarray(0, headEnd));
  bytes[1] = layoutOf(record)?.hasOrigin === true ? FORGOTTEN_WITH_ORIGIN : FORGOTTEN;
  // The checksum of a short value would tell what it was.
  bytes.writeUInt32BE(0, VALUE_CHECKSUM_OFFSET);
  bytes.writeUInt32BE(headChecksum(revision, bytes, headEnd), headEnd);
  return bytes;
}

/** Throws `corrupt` unless this head was written under this revision. Its value may be corrupt. */
export function decodeHeader(revision: number, bytes: Buffer): RecordHeader {
  requireSoundHead(revision, bytes);
  return {
    type: bytes[0] === PUT ? 'put' : 'delete',
    key: keyIn(bytes),
    createRevision: readNumber(bytes, 4),
    previousRevision: readNumber(bytes, 12),
    expiresAt: readNumber(bytes, 20),
    tag: bytes.readUInt32BE(TAG_OFFSET),
    ...(isForgotten(bytes) ? { isForgotten: true } : {}),
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
export function condensedIn(revision: number, bytes: Buffer): StoredCondensed | undefined {
  requireSoundHead(revision, bytes);
  if (!isCondensed(bytes)) return undefined;
  const start = endOfOrigin(bytes);
  const first = bytes.readUInt8(start);
  const length = bytes.readUInt32BE(start + 1);
  if (!isShort(first)) return { height: first, length, base: readNumber(bytes, start + 5), lengths: 'fixed' };
  const distance = bytes.readUInt32BE(start + 5);
  return { height: first - IS_SHORT, length, base: distance === 0 ? 0 : revision + distance, lengths: 'variable' };
}

export function isForgotten(bytes: Buffer): boolean {
  return layoutOf(bytes)?.isForgotten === true;
}

/** Throws `compacted` if the value of the record, whose head is sound, is forgotten. */
export function requireValue(revision: number, bytes: Buffer): void {
  if (isForgotten(bytes)) throw forgottenValue(keyIn(bytes), revision);
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
  return new KVError('corrupt', `the value of ${JSON.stringify(keyIn(bytes))}, of revision ${revision}, is damaged`);
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

function keyIn(bytes: Buffer): string {
  return bytes.toString('utf8', FIXED_BYTES, endOfKey(bytes));
}

function endOfKey(bytes: Buffer): number {
  return FIXED_BYTES + bytes.readUInt16BE(2);
}

/** The position of the checksum of a record's head; infinite if its lengths or its layout are not possible. */
function endOfHead(bytes: Buffer): number {
  const originEnd = endOfOrigin(bytes);
  if (!isCondensed(bytes)) return originEnd;
  return originEnd + (isShort(bytes[originEnd] ?? 0) ? CONDENSED_BYTES : CONDENSED_BYTES_OF_FORMAT_FOUR);
}

/** The end of the part that all records have; infinite like {@link endOfHead}. */
function endOfOrigin(bytes: Buffer): number {
  const layout = layoutOf(bytes);
  if (bytes.length < FIXED_BYTES || layout === undefined) return Number.POSITIVE_INFINITY;
  const keyEnd = endOfKey(bytes);
  return layout.hasOrigin ? keyEnd + lengthOfOrigin(bytes, keyEnd) : keyEnd;
}

const isShort = (firstOfCondensed: number): boolean => (firstOfCondensed & IS_SHORT) !== 0;

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
