import type { Int64 } from '../json/index.js';
import { toFloat16 } from './float16.js';
import {
  BYTES,
  EIGHT_BYTES,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  FOUR_BYTES,
  NEGATIVE,
  ONE_BYTE,
  SIMPLE,
  TWO_BYTES,
  UNSIGNED,
} from './item-type.js';

const INITIAL_SIZE = 16 * 1024;
/** A scratch buffer above this size is released after its document. */
const KEPT_SIZE = 1024 * 1024;
/** Up to this length, one character at a time is faster than the engine's encoder. */
const SHORT = 64;
/** The length of the longest head. */
const HEAD_BYTES = 9;

/** Writes data items in order into a buffer that all documents share. */
export class CborWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_SIZE);
  #position = 0;

  /** A copy of the bytes written. */
  toBytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#position));
  }

  reset(): void {
    this.#position = 0;
    if (this.#bytes.length > KEPT_SIZE) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_SIZE);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#position);
    this.#position += bytes.length;
  }

  /** The head of an item: its major type and argument, in the fewest bytes. */
  head(type: number, argument: Int64): void {
    this.#reserve(HEAD_BYTES);
    const bytes = this.#bytes;
    const major = type << 5;
    const at = this.#position;
    if (argument < ONE_BYTE) {
      bytes[at] = major | Number(argument);
      this.#position = at + 1;
    } else if (argument < 0x100) {
      bytes[at] = major | ONE_BYTE;
      this.#position = bytes.writeUInt8(Number(argument), at + 1);
    } else if (argument < 0x10000) {
      bytes[at] = major | TWO_BYTES;
      this.#position = bytes.writeUInt16BE(Number(argument), at + 1);
    } else if (argument < 2 ** 32) {
      bytes[at] = major | FOUR_BYTES;
      this.#position = bytes.writeUInt32BE(Number(argument), at + 1);
    } else {
      bytes[at] = major | EIGHT_BYTES;
      this.#position = bytes.writeBigUInt64BE(BigInt(argument), at + 1);
    }
  }

  simple(value: number): void {
    this.head(SIMPLE, value);
  }

  integer(value: Int64): void {
    if (value >= 0) this.head(UNSIGNED, value);
    else this.head(NEGATIVE, typeof value === 'bigint' ? -1n - value : -1 - value);
  }

  /** A float in the shortest form that holds it exactly. */
  float(value: number): void {
    this.#reserve(HEAD_BYTES);
    const half = toFloat16(value);
    const at = this.#position + 1;
    let form = FLOAT64;
    if (half !== undefined) {
      form = FLOAT16;
      this.#bytes.writeUInt16BE(half, at);
    } else if (Math.fround(value) === value) {
      form = FLOAT32;
      this.#bytes.writeFloatBE(value, at);
    } else {
      this.#bytes.writeDoubleBE(value, at);
    }
    this.#bytes[at - 1] = (SIMPLE << 5) | form;
    this.#position = at + (form === FLOAT16 ? 2 : form === FLOAT32 ? 4 : 8);
  }

  /** A byte string of the text's UTF-8. A lone surrogate becomes U+FFFD. */
  string(text: string): void {
    const { length } = text;
    if (length <= SHORT && this.#ascii(text)) return;
    const size = Buffer.byteLength(text);
    this.head(BYTES, size);
    this.#reserve(size);
    this.#position += this.#bytes.write(text, this.#position, 'utf8');
  }

  /** Writes the text if it is ASCII, and returns whether it did. */
  #ascii(text: string): boolean {
    const { length } = text;
    const start = this.#position;
    this.head(BYTES, length);
    this.#reserve(length);
    const bytes = this.#bytes;
    const position = this.#position;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) {
        this.#position = start;
        return false;
      }
      bytes[position + index] = code;
    }
    this.#position = position + length;
    return true;
  }

  #reserve(count: number): void {
    const needed = this.#position + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#position));
    this.#bytes = larger;
  }
}
