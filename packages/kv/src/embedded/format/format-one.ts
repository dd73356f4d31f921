import type { LogRecord, Pointer } from '../../engine/index.js';
import { readNumber } from './layout.js';

/*
 * The layout of format 1, which has neither checksums nor tags. Its stores and backups are upgraded to the current
 * format.
 *
 *   index     key (UTF-8)             -> createRevision modRevision
 *   log       revision                -> type(1) reserved(1) keyLength(2) createRevision previousRevision expiresAt key value
 *   meta      name (UTF-8)            -> decimal number
 */
const PUT = 1;
const HEADER_BYTES = 28;
const POINTER_BYTES = 16;

export function isPointerOfFormatOne(bytes: Buffer): boolean {
  return bytes.length === POINTER_BYTES;
}

export function decodePointerOfFormatOne(bytes: Buffer): Pointer {
  return { createRevision: readNumber(bytes, 0), modRevision: readNumber(bytes, 8) };
}

/** Records of later formats have another number in their second byte. */
export function isRecordOfFormatOne(bytes: Buffer): boolean {
  return bytes[1] === 0;
}

/** Throws a `RangeError` for bytes too short to be a record. */
export function decodeRecordOfFormatOne(bytes: Buffer): LogRecord {
  const keyEnd = HEADER_BYTES + bytes.readUInt16BE(2);
  return {
    type: bytes[0] === PUT ? 'put' : 'delete',
    key: bytes.toString('utf8', HEADER_BYTES, keyEnd),
    createRevision: readNumber(bytes, 4),
    previousRevision: readNumber(bytes, 12),
    expiresAt: readNumber(bytes, 20),
    tag: 0,
    value: Uint8Array.prototype.slice.call(bytes, keyEnd, bytes.length),
  };
}
