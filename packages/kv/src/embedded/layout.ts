import type { LogRecord, Pointer, RecordHeader } from '../engine/index.js';

/** Raised by every change that an older program would misread. */
export const FORMAT_VERSION = 1;

/*
 * All numbers are big-endian and 8 bytes long, so that keys sort as the numbers do.
 *
 *   index     key (UTF-8)             -> createRevision modRevision
 *   log       revision                -> type(1) reserved(1) keyLength(2) createRevision previousRevision expiresAt key value
 *   expiring  expiresAt revision      -> key (UTF-8)
 *   meta      name (UTF-8)            -> decimal number
 */
const PUT = 1;
const DELETE = 2;
const HEADER_BYTES = 28;
const HIGH = 0x1_0000_0000;

export function writeNumber(target: Buffer, value: number, offset: number): void {
  target.writeUInt32BE(Math.floor(value / HIGH), offset);
  target.writeUInt32BE(value % HIGH, offset + 4);
}

export function readNumber(source: Buffer, offset: number): number {
  return source.readUInt32BE(offset) * HIGH + source.readUInt32BE(offset + 4);
}

export function encodePointer({ createRevision, modRevision }: Pointer): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeNumber(bytes, createRevision, 0);
  writeNumber(bytes, modRevision, 8);
  return bytes;
}

export function decodePointer(bytes: Buffer): Pointer {
  return { createRevision: readNumber(bytes, 0), modRevision: readNumber(bytes, 8) };
}

export function encodeRecord({ type, key, createRevision, previousRevision, expiresAt, value }: LogRecord): Buffer {
  const keyLength = Buffer.byteLength(key);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + keyLength + value.length);
  bytes[0] = type === 'put' ? PUT : DELETE;
  bytes[1] = 0;
  bytes.writeUInt16BE(keyLength, 2);
  writeNumber(bytes, createRevision, 4);
  writeNumber(bytes, previousRevision, 12);
  writeNumber(bytes, expiresAt, 20);
  bytes.write(key, HEADER_BYTES, 'utf8');
  bytes.set(value, HEADER_BYTES + keyLength);
  return bytes;
}

export function decodeHeader(bytes: Buffer): RecordHeader {
  return {
    type: bytes[0] === PUT ? 'put' : 'delete',
    key: bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + bytes.readUInt16BE(2)),
    createRevision: readNumber(bytes, 4),
    previousRevision: readNumber(bytes, 12),
    expiresAt: readNumber(bytes, 20),
  };
}

/** Copies the value, and nothing else, out of `bytes`, which may be overwritten by the next read. */
export function decodeRecord(bytes: Buffer): LogRecord {
  const { type, key, createRevision, previousRevision, expiresAt } = decodeHeader(bytes);
  const value = Uint8Array.prototype.slice.call(bytes, HEADER_BYTES + bytes.readUInt16BE(2), bytes.length);
  return { type, key, createRevision, previousRevision, expiresAt, value };
}

export function encodeExpiryKey(expiresAt: number, revision: number): Buffer {
  const bytes = Buffer.allocUnsafe(16);
  writeNumber(bytes, expiresAt, 0);
  writeNumber(bytes, revision, 8);
  return bytes;
}
