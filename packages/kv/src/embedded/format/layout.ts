import { crc32 } from 'node:zlib';
import type { LogRecord, Pointer, RecordHeader } from '../../engine/index.js';
import { KVError } from '../../interface/index.js';
import { checksum } from './checksum.js';

/** Raised by every change that older programs would misread. */
export const FORMAT_VERSION = 2;

/*
 * All numbers are big-endian, so that keys sort like the numbers, and 8 bytes long unless a length is given.
 *
 *   index     key (UTF-8)             -> createRevision modRevision keyChecksum(4) checksum(4)
 *   log       revision                -> type(1) layout(1) keyLength(2) createRevision previousRevision expiresAt tag(4)
 *                                        valueChecksum(4) key headChecksum(4) value
 *   expiring  expiresAt revision      -> key (UTF-8)
 *   meta      name (UTF-8)            -> decimal number, space, checksum in hexadecimal; `format` is only the number
 *             note:name (UTF-8)       -> checksum(4) note
 *
 * Checksums are CRC-32. A pointer's checksum covers everything before it. So does that of a record's head, which also
 * starts with the revision: a record found under another revision fails it. A head is trustworthy even if its value is
 * corrupt, and a pointer even if its key is. A note's checksum covers its name too. Entries of the expiry table have no
 * checksum, because the log confirms each of them.
 */
const PUT = 1;
const DELETE = 2;
/** Differs in several bits from 0, which records of format 1 have in its place. */
const RECORD_LAYOUT = 0xa5;
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

export function writeNumber(target: Buffer, value: number, offset: number): void {
  target.writeUInt32BE(Math.floor(value / HIGH), offset);
  target.writeUInt32BE(value % HIGH, offset + 4);
}

export function readNumber(source: Buffer, offset: number): number {
  return source.readUInt32BE(offset) * HIGH + source.readUInt32BE(offset + 4);
}

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

export function encodeRecord(revision: number, record: LogRecord): Buffer {
  const { type, key, createRevision, previousRevision, expiresAt, tag, value } = record;
  const keyLength = Buffer.byteLength(key);
  const keyEnd = FIXED_BYTES + keyLength;
  const bytes = Buffer.allocUnsafe(keyEnd + CHECKSUM_BYTES + value.length);
  bytes[0] = type === 'put' ? PUT : DELETE;
  bytes[1] = RECORD_LAYOUT;
  bytes.writeUInt16BE(keyLength, 2);
  writeNumber(bytes, createRevision, 4);
  writeNumber(bytes, previousRevision, 12);
  writeNumber(bytes, expiresAt, 20);
  bytes.writeUInt32BE(tag, TAG_OFFSET);
  bytes.writeUInt32BE(crc32(value), VALUE_CHECKSUM_OFFSET);
  bytes.write(key, FIXED_BYTES, 'utf8');
  bytes.writeUInt32BE(headChecksum(revision, bytes, keyEnd), keyEnd);
  bytes.set(value, keyEnd + CHECKSUM_BYTES);
  return bytes;
}

/** Throws `corrupt` unless this head was written under this revision. Its value may be corrupt. */
export function decodeHeader(revision: number, bytes: Buffer): RecordHeader {
  return {
    type: bytes[0] === PUT ? 'put' : 'delete',
    key: bytes.toString('utf8', FIXED_BYTES, endOfHead(revision, bytes)),
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
  const keyEnd = endOfHead(revision, bytes);
  const value = bytes.subarray(keyEnd + CHECKSUM_BYTES);
  if (crc32(value) === bytes.readUInt32BE(VALUE_CHECKSUM_OFFSET)) return { value, tag: bytes.readUInt32BE(TAG_OFFSET) };
  const key = bytes.toString('utf8', FIXED_BYTES, keyEnd);
  throw new KVError('corrupt', `the value of ${JSON.stringify(key)}, of revision ${revision}, is damaged`);
}

/** The position of the checksum of a record's head, after it is verified. */
function endOfHead(revision: number, bytes: Buffer): number {
  if (!isSoundHead(revision, bytes)) throw new KVError('corrupt', `the record of revision ${revision} is damaged`);
  return FIXED_BYTES + bytes.readUInt16BE(2);
}

/**
 * A view on the value of a record. Verifying its checksum costs more than the read, so only {@link decodeRecord} does.
 */
export function valueIn(revision: number, bytes: Buffer): Uint8Array {
  const keyLength = bytes.length < FIXED_BYTES ? Number.POSITIVE_INFINITY : bytes.readUInt16BE(2);
  const start = FIXED_BYTES + keyLength + CHECKSUM_BYTES;
  if (bytes[1] !== RECORD_LAYOUT || start > bytes.length) {
    throw new KVError('corrupt', `the record of revision ${revision} is damaged`);
  }
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
  if (bytes.length < FIXED_BYTES || bytes[1] !== RECORD_LAYOUT) return false;
  const keyEnd = FIXED_BYTES + bytes.readUInt16BE(2);
  return (
    keyEnd + CHECKSUM_BYTES <= bytes.length && bytes.readUInt32BE(keyEnd) === headChecksum(revision, bytes, keyEnd)
  );
}

function headChecksum(revision: number, bytes: Buffer, keyEnd: number): number {
  const seed = (Math.floor(revision / HIGH) ^ (revision % HIGH)) >>> 0;
  return checksum(bytes, 0, keyEnd, seed);
}

function metaChecksum(name: string, digits: string): string {
  return crc32(`${name} ${digits}`).toString(16).padStart(8, '0');
}

function noteChecksum(name: string, note: Uint8Array): number {
  return crc32(name, crc32(note));
}
