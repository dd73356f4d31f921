import { isUtf8 } from 'node:buffer';
import { decodeUtf8, type Int64 } from '../json/index.js';
import { CborError } from './cbor-error.js';
import { fromFloat16 } from './float16.js';
import {
  BREAK,
  EIGHT_BYTES,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  FOUR_BYTES,
  INDEFINITE,
  majorTypeName,
  NEGATIVE,
  ONE_BYTE,
  SIMPLE,
  TAG,
  TEXT,
  TWO_BYTES,
  UNSIGNED,
} from './item-type.js';

/** Up to this length, one character at a time is as fast as the engine's decoder, and detects ASCII. */
const SHORT = 64;
const FIRST_LONG_SIMPLE = 32;
const FIRST_FLOAT = (SIMPLE << 5) | FLOAT16;
const LAST_FLOAT = (SIMPLE << 5) | FLOAT64;

/** Reads the heads of data items and their content in order. Every failure is a {@link CborError}. */
export class HeadReader {
  /** The number of whole items read; the caller counts them. */
  count = 0;
  /** The major type of the head that {@link head} read last, and its additional information. */
  type = 0;
  information = 0;
  readonly #bytes: Buffer;
  #position = 0;

  /** Keeps `bytes` without a copy, so they must not change while the reader is in use. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#position;
  }

  get isIndefinite(): boolean {
    return this.information === INDEFINITE;
  }

  /** Whether the last head was that of a float. */
  get isFloat(): boolean {
    return this.type === SIMPLE && this.information >= FLOAT16 && this.information <= FLOAT64;
  }

  /** The major type of the next item. */
  nextType(): number {
    return this.#next() >> 5;
  }

  isNextIndefinite(): boolean {
    return (this.#next() & 0x1f) === INDEFINITE;
  }

  isNextFloat(): boolean {
    const first = this.#next();
    return first >= FIRST_FLOAT && first <= LAST_FLOAT;
  }

  /** Reads a head and returns its argument: a length, a count, a number, or a small value itself. */
  head(): Int64 {
    const start = this.#advance(1);
    const first = this.#bytes[start] ?? 0;
    const type = first >> 5;
    const information = first & 0x1f;
    this.type = type;
    this.information = information;
    if (information < ONE_BYTE) return information;
    if (information === ONE_BYTE) {
      const argument = this.#bytes.readUInt8(this.#advance(1));
      if (type === SIMPLE && argument < FIRST_LONG_SIMPLE) {
        throw new CborError(`cbor: invalid simple value ${argument} for type ${majorTypeName(type)}`);
      }
      return argument;
    }
    if (information === TWO_BYTES) return this.#bytes.readUInt16BE(this.#advance(2));
    if (information === FOUR_BYTES) return this.#bytes.readUInt32BE(this.#advance(4));
    if (information === EIGHT_BYTES) return this.#longArgument();
    if (information < INDEFINITE || type === UNSIGNED || type === NEGATIVE || type === TAG) {
      throw new CborError(`cbor: invalid additional information ${information} for type ${majorTypeName(type)}`);
    }
    if (type === SIMPLE) throw new CborError('cbor: unexpected "break" code');
    return 0;
  }

  /** Reads the break of an indefinite-length item if it is next, and returns whether it was. */
  ends(): boolean {
    if (this.#next() !== BREAK) return false;
    this.#position++;
    return true;
  }

  /** The float whose head was read last. */
  float(): number {
    const bytes = this.#bytes;
    const end = this.#position;
    if (this.information === FLOAT16) return fromFloat16(bytes.readUInt16BE(end - 2));
    return this.information === FLOAT32 ? bytes.readFloatBE(end - 4) : bytes.readDoubleBE(end - 8);
  }

  skip(length: Int64): void {
    this.#advance(length);
  }

  /** Reads the next bytes in a text encoding. */
  encoded(length: Int64, encoding: BufferEncoding): string {
    const start = this.#advance(length);
    return this.#bytes.toString(encoding, start, this.#position);
  }

  /**
   * Reads the next bytes as a string. Rejects invalid UTF-8 in a text string; replaces it in a byte string, as Go does when it
   * encodes JSON.
   */
  string(length: Int64): string {
    const start = this.#advance(length);
    const end = this.#position;
    const bytes = this.#bytes;
    let ascii = end - start <= SHORT;
    for (let index = start; ascii && index < end; index++) ascii = (bytes[index] ?? 0) < 0x80;
    if (ascii) return bytes.toString('latin1', start, end);
    const text = bytes.subarray(start, end);
    if (this.type === TEXT && !isUtf8(text)) throw new CborError('cbor: invalid UTF-8 string');
    return decodeUtf8(text);
  }

  #longArgument(): Int64 {
    const exact = this.#bytes.readBigUInt64BE(this.#advance(8));
    const double = Number(exact);
    return Number.isSafeInteger(double) ? double : exact;
  }

  #next(): number {
    const next = this.#bytes[this.#position];
    if (next === undefined) throw unexpectedEnd();
    return next;
  }

  /** Skips `count` bytes and returns where they begin. */
  #advance(count: Int64): number {
    if (count > this.remaining) throw unexpectedEnd();
    const start = this.#position;
    this.#position += Number(count);
    return start;
  }
}

function unexpectedEnd(): CborError {
  return new CborError('unexpected EOF');
}
