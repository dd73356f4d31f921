import type { Origin } from '../../engine/index.js';
import { readNumber, writeNumber } from './numbers.js';

/*
 * The origin in a record: time authorId(4) nameLength(2) markLength(1) mark name. `authorId` is 0 if there is no author, or
 * if its name is in the record. A mark that is a UUID in lower case takes 16 bytes, and has the length 255.
 */
const FIXED_BYTES = 15;
const AUTHOR_OFFSET = 8;
const NAME_LENGTH_OFFSET = 12;
const MARK_LENGTH_OFFSET = 14;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_LENGTH = 0xff;
const UUID_BYTES = 16;

/** An origin as a record has it. With an `authorId`, the author's name is in the store's table of authors, not in `name`. */
export interface StoredOrigin {
  readonly time: number;
  readonly authorId: number;
  readonly name: string;
  readonly mark: string;
}

/** `authorId`: the number under which the store has the author's name; 0 if it has none. */
export function encodeOrigin({ time, author }: Origin, authorId: number): Buffer {
  const name = authorId === 0 ? Buffer.from(author?.name ?? '') : Buffer.alloc(0);
  const text = author?.mark ?? '';
  const isUuid = UUID.test(text);
  const mark = isUuid ? Buffer.from(text.replaceAll('-', ''), 'hex') : Buffer.from(text);
  const bytes = Buffer.allocUnsafe(FIXED_BYTES + mark.length + name.length);
  writeNumber(bytes, time, 0);
  bytes.writeUInt32BE(authorId, AUTHOR_OFFSET);
  bytes.writeUInt16BE(name.length, NAME_LENGTH_OFFSET);
  bytes.writeUInt8(isUuid ? UUID_LENGTH : mark.length, MARK_LENGTH_OFFSET);
  bytes.set(mark, FIXED_BYTES);
  bytes.set(name, FIXED_BYTES + mark.length);
  return bytes;
}

/** The bytes of the origin that starts here; infinite if the record is too short to tell. */
export function lengthOfOrigin(bytes: Buffer, start: number): number {
  if (bytes.length < start + FIXED_BYTES) return Number.POSITIVE_INFINITY;
  return FIXED_BYTES + markBytes(bytes, start) + bytes.readUInt16BE(start + NAME_LENGTH_OFFSET);
}

/** Of a record whose head is sound. */
export function decodeOrigin(bytes: Buffer, start: number): StoredOrigin {
  const markStart = start + FIXED_BYTES;
  const markEnd = markStart + markBytes(bytes, start);
  const isUuid = bytes[start + MARK_LENGTH_OFFSET] === UUID_LENGTH;
  return {
    time: readNumber(bytes, start),
    authorId: bytes.readUInt32BE(start + AUTHOR_OFFSET),
    name: bytes.toString('utf8', markEnd, start + lengthOfOrigin(bytes, start)),
    mark: isUuid ? uuid(bytes.toString('hex', markStart, markEnd)) : bytes.toString('utf8', markStart, markEnd),
  };
}

function markBytes(bytes: Buffer, start: number): number {
  const length = bytes.readUInt8(start + MARK_LENGTH_OFFSET);
  return length === UUID_LENGTH ? UUID_BYTES : length;
}

function uuid(digits: string): string {
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
}
