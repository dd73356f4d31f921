import { crc32 } from 'node:zlib';
import type { LogRecord, Pointer, RecordHeader } from '../../engine/index.js';
import { KVError } from '../../interface/index.js';
import { checksum } from './checksum.js';
import { readNumber, writeNumber } from './numbers.js';
import { decodeOrigin, lengthOfOrigin, type StoredOrigin } from './origin.js';

export { readNumber, writeNumber } from './numbers.js';

/** Raised by every change that older programs would misread. Format 2 has no origins and no authors. */
export const FORMAT_VERSION = 3;

/*
 * All numbers are big-endian, so that keys sort like the numbers, and 8 bytes long unless a length is given.
 *
 *   index     key (UTF-8)             -> createRevision modRevision keyChecksum(4) checksum(4)
 *   log       revision                -> type(1) layout(1) keyLength(2) createRevision previousRevision expiresAt tag(4)
 *                                        valueChecksum(4) key [origin] headChecksum(4) value
 *   expiring  expiresAt revision      -> key (UTF-8)
 *   meta      name (UTF-8)            -> decimal number, space, checksum in hexadecimal; `format` is only the number
 *             note:name (UTF-8)       -> checksum(4) note
 *             author:number (UTF-8)   -> checksum(4) name, which origins refer to by the number
 *
 * Checksums are CRC-32. A pointer's checksum covers everything before it. So does that of a record's head, which also
 * starts with the revision: a record found under another revision fails it. A head is trustworthy even if its value is
 * corrupt, and a pointer even if its key is. The checksum of a note or an author covers its name too. Entries of the expiry table have no
 * checksum, because the log confirms each of them. The layout of a record says whether it has an origin.
 */
const PUT = 1;
const DELETE = 2;
/** Differs in several bits from 0, which records of format 1 have in its place. */
const RECORD_LAYOUT = 0xa5;
/** Differs from both in several bits. */
const ORIGIN_LAYOUT = 0x5a;
const FIXED_BYTES = 36;
const CHECKSUM_BYTES = 4;
const TAG_OFFSET = 28;
const VALUE_CHECKSUM_OFFSET = 32;
const POINTER_BYTES = 24;
const KEY_CHECKSUM_OFFSET = 16;
const POINTER_CHECKSUM_OFFSET = 20;
const HIGH = 0x1_0000_0000;
const noPointer = {
  keyIsSound: false,
  pointerIsSound: false,
  pointer: { createRevision: 0, modRevision: 0 },
} as const;

export function encodePointer(key: Buffer, { createRevision, modRevision }: Pointer): Buffer {
  const bytes = Buffer.allocUnsafe(POINTER_BYTES);
  writeNumber(bytes, createRevision, 0);
  writeNumber(bytes, modRevision, 8);
  bytes.writeUInt32BE(checksum(key, 0, key.length), KEY_CHECKSUM_OFFSET);
  bytes.writeUInt32BE(checksum(bytes, 0, POINTER_CHECKSUM_OFFSET), POINTER_CHECKSUM_OFFSET);
  return bytes;
}

/** Undefined if the key or the pointer is corrupt. */
export function decodePointer(key: Buffer, bytes: Buffer): Pointer | undefined {
  const { keyIsSound, pointerIsSound, pointer } = inspectPointer(key, bytes);
  return keyIsSound && pointerIsSound ? pointer : undefined;
}

/** The trustworthy parts of an index entry: its key, its pointer, both or neither. */
export function inspectPointer(
  key: Buffer,
  bytes: Buffer,
): { readonly keyIsSound: boolean; readonly pointerIsSound: boolean; readonly pointer: Pointer } {
  if (bytes.length !== POINTER_BYTES) return noPointer;
  return {
    keyIsSound: bytes.readUInt32BE(KEY_CHECKSUM_OFFSET) === checksum(key, 0, key.length),
    pointerIsSound: bytes.readUInt32BE(POINTER_CHECKSUM_OFFSET) === checksum(bytes, 0, POINTER_CHECKSUM_OFFSET),
    pointer: { createRevision: readNumber(bytes, 0), modRevision: readNumber(bytes, 8) },
  };
}

/** `origin`: its encoded form. */
export function encodeRecord(revision: number, record: LogRecord, origin?: Buffer): Buffer {
  const { type, key, createRevision, previousRevision, expiresAt, tag, value } = record;
  const keyLength = Buffer.byteLength(key);
  const headEnd = FIXED_BYTES + keyLength + (origin?.length ?? 0);
  const bytes = Buffer.allocUnsafe(headEnd + CHECKSUM_BYTES + value.length);
  bytes[0] = type === 'put' ? PUT : DELETE;
  bytes[1] = origin === undefined ? RECORD_LAYOUT : ORIGIN_LAYOUT;
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

/** Copies only the value out of `bytes`, which the next read may overwrite. Throws `corrupt`. */
export function decodeRecord(revision: number, bytes: Buffer): LogRecord {
  const { value } = viewRecord(revision, bytes);
  return { ...decodeHeader(revision, bytes), value: Uint8Array.prototype.slice.call(value) };
}

/** The value and tag of a record whose key the caller knows. The value is a view on `bytes`. Throws `corrupt`. */
export function viewRecord(revision: number, bytes: Buffer): Pick<LogRecord, 'value' | 'tag'> {
  requireSoundHead(revision, bytes);
  const value = bytes.subarray(endOfHead(bytes) + CHECKSUM_BYTES);
  if (crc32(value) === bytes.readUInt32BE(VALUE_CHECKSUM_OFFSET)) return { value, tag: bytes.readUInt32BE(TAG_OFFSET) };
  const key = bytes.toString('utf8', FIXED_BYTES, endOfKey(bytes));
  throw new KVError('corrupt', `the value of ${JSON.stringify(key)}, of revision ${revision}, is damaged`);
}

/** Undefined if the record has none. Throws `corrupt` unless its head is sound. */
export function originIn(revision: number, bytes: Buffer): StoredOrigin | undefined {
  requireSoundHead(revision, bytes);
  return bytes[1] === ORIGIN_LAYOUT ? decodeOrigin(bytes, endOfKey(bytes)) : undefined;
}

function requireSoundHead(revision: number, bytes: Buffer): void {
  if (!isSoundHead(revision, bytes)) throw new KVError('corrupt', `the record of revision ${revision} is damaged`);
}

function endOfKey(bytes: Buffer): number {
  return FIXED_BYTES + bytes.readUInt16BE(2);
}

/** The position of the checksum of a record's head; infinite if its lengths or its layout are not possible. */
function endOfHead(bytes: Buffer): number {
  if (bytes.length < FIXED_BYTES) return Number.POSITIVE_INFINITY;
  if (bytes[1] === RECORD_LAYOUT) return endOfKey(bytes);
  if (bytes[1] !== ORIGIN_LAYOUT) return Number.POSITIVE_INFINITY;
  return endOfKey(bytes) + lengthOfOrigin(bytes, endOfKey(bytes));
}

/**
 * A view on the value of a record. Verifying its checksum costs more than the read, so only {@link decodeRecord} does.
 */
export function valueIn(revision: number, bytes: Buffer): Uint8Array {
  const start = endOfHead(bytes) + CHECKSUM_BYTES;
  if (start > bytes.length) throw new KVError('corrupt', `the record of revision ${revision} is damaged`);
  return bytes.subarray(start);
}

export function encodeExpiryKey(expiresAt: number, revision: number): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeNumber(bytes, expiresAt, 0);
  writeNumber(bytes, revision, 8);
  return bytes;
}

export function encodeMeta(name: string, value: number): Buffer {
  return Buffer.from(`${value} ${metaChecksum(name, String(value))}`);
}

/** Undefined unless this number was written under this name. */
export function decodeMeta(name: string, bytes: Buffer): number | undefined {
  const [digits = '', checksum] = bytes.toString('latin1').split(' ');
  return checksum === metaChecksum(name, digits) ? Number(digits) : undefined;
}

/** `name`: the whole key. */
export function encodeNote(name: string, note: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES + note.length);
  bytes.writeUInt32BE(noteChecksum(name, note), 0);
  bytes.set(note, CHECKSUM_BYTES);
  return bytes;
}

/** Undefined unless this note was written under this name. */
export function decodeNote(name: string, bytes: Buffer): Uint8Array | undefined {
  if (bytes.length < CHECKSUM_BYTES) return undefined;
  const note = bytes.subarray(CHECKSUM_BYTES);
  return bytes.readUInt32BE(0) === noteChecksum(name, note) ? note : undefined;
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

function metaChecksum(name: string, digits: string): string {
  return crc32(`${name} ${digits}`).toString(16).padStart(8, '0');
}

function noteChecksum(name: string, note: Uint8Array): number {
  return crc32(name, crc32(note));
}
