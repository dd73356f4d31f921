import { crc32 } from 'node:zlib';
import type { ForgottenState, Pointer } from '../../engine/index.js';
import { checksum } from './checksum.js';
import { readNumber, writeNumber } from './numbers.js';

export { readNumber, writeNumber } from './numbers.js';

/**
 * Raised by every change that older programs would misread. Format 2 added checksums, format 3 origins and authors, format 4
 * condensed values, format 5 forgotten ones.
 */
export const FORMAT_VERSION = 5;

/*
 * All numbers are big-endian, so that keys sort like the numbers, and 8 bytes long unless a length is given.
 *
 *   index     key (UTF-8)             -> createRevision modRevision keyChecksum(4) checksum(4)
 *   log       revision                -> type(1) layout(1) keyLength(2) createRevision previousRevision expiresAt tag(4)
 *                                        valueChecksum(4) key [origin] [height(1) valueLength(4) base(4)] headChecksum(4)
 *                                        value, or its difference
 *   expiring  expiresAt revision      -> key (UTF-8)
 *   meta      name (UTF-8)            -> decimal number, space, checksum in hexadecimal; `format` is only the number
 *             note:name (UTF-8)       -> checksum(4) note
 *             author:number (UTF-8)   -> checksum(4) name, which origins refer to by the number
 *             forgotten:prefix (UTF-8) -> checksum(4) revision removed, up to which events have lost the values before them
 *
 * Checksums are CRC-32. A pointer's checksum covers everything before it. So does that of a record's head, which also
 * starts with the revision: a record found under another revision fails it. A head is trustworthy even if its value is
 * corrupt, and a pointer even if its key is. The checksum of a note, an author or a forgotten prefix covers its name too.
 * Entries of the expiry table have no checksum, because the log confirms each of them.
 *
 * The layout of a record says whether it has an origin, whether it is condensed (`condensed-record.ts`), and whether its
 * value is forgotten. Nothing follows the head of a forgotten one. `base` is the revision with whose value a condensed one
 * differs. If the highest bit of `height` is set, it is a distance from the record's own revision, and 0 means none. Otherwise
 * the record is of format 4, and `base` is a revision of 8 bytes. The checksum of a value is that of the whole value, and 0 if
 * it is forgotten.
 */
const CHECKSUM_BYTES = 4;
const POINTER_BYTES = 24;
const FORGOTTEN_BYTES = 16;
const KEY_CHECKSUM_OFFSET = 16;
const POINTER_CHECKSUM_OFFSET = 20;
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

/** The key of a record in the log. */
export function encodeLogKey(revision: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeNumber(bytes, revision, 0);
  return bytes;
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

/** `name`: the whole key. */
export function encodeForgottenState(name: string, { revision, removed }: ForgottenState): Buffer {
  const bytes = Buffer.allocUnsafe(FORGOTTEN_BYTES);
  writeNumber(bytes, revision, 0);
  writeNumber(bytes, removed, 8);
  return encodeNote(name, bytes);
}

/** Undefined unless this state was written under this name. */
export function decodeForgottenState(name: string, bytes: Buffer): ForgottenState | undefined {
  const state = decodeNote(name, bytes);
  if (state?.length !== FORGOTTEN_BYTES) return undefined;
  const numbers = Buffer.from(state);
  return { revision: readNumber(numbers, 0), removed: readNumber(numbers, 8) };
}

function metaChecksum(name: string, digits: string): string {
  return crc32(`${name} ${digits}`).toString(16).padStart(8, '0');
}

function noteChecksum(name: string, note: Uint8Array): number {
  return crc32(name, crc32(note));
}
