import type { Int64 } from '../json/index.js';

const INITIAL_SIZE = 16 * 1024;
/** A scratch buffer above this size is released after its message. */
const KEPT_SIZE = 1024 * 1024;
/** From this length on, the engine's copy is faster than a loop. */
const LONG = 64;
/** The same for a part that is already bytes. */
const LONG_PART = 24;

/**
 * Writes messages from their last byte to their first, so that a length is known when it is written. Calls are in
 * reverse order too: value, length, tag; and fields by descending number.
 */
export class WireWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_SIZE);
  #position = INITIAL_SIZE;

  /** The number of bytes written so far. */
  get size(): number {
    return this.#bytes.length - this.#position;
  }

  /** The bytes written, valid until the next write. */
  get bytesWritten(): Buffer {
    return this.#bytes.subarray(this.#position);
  }

  /** Removes the bytes written since `size` and returns a copy of them. */
  takeSince(size: number): Buffer {
    const end = this.#bytes.length - size;
    const taken = Buffer.from(this.#bytes.subarray(this.#position, end));
    this.#position = end;
    return taken;
  }

  reset(): void {
    if (this.#bytes.length > KEPT_SIZE) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_SIZE);
    this.#position = this.#bytes.length;
  }

  /** Writes the length of the bytes written since `size`. */
  lengthSince(size: number): void {
    this.varint(this.size - size);
  }

  /** A whole number from 0 to 2^53. */
  varint(value: number): void {
    if (value < 0x80 && this.#position > 0) this.#bytes[--this.#position] = value;
    else this.#longVarint(value);
  }

  #longVarint(value: number): void {
    this.#reserve(8);
    let length = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) length++;
    let at = this.#position - length;
    this.#position = at;
    for (let rest = value; at < this.#position + length; rest = Math.floor(rest / 128)) {
      this.#bytes[at++] = rest < 0x80 ? rest : (rest % 128) | 0x80;
    }
  }

  /** Negative integers take ten bytes, in two's complement of 64 bits. */
  integer(value: Int64): void {
    if (typeof value === 'number' && value >= 0) {
      this.varint(value);
      return;
    }
    const digits: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest >= 0x80n; rest >>= 7n) digits.push(Number(rest & 0x7fn) | 0x80);
    digits.push(Number(rest));
    this.bytes(Uint8Array.from(digits));
  }

  double(value: number): void {
    this.#reserve(8);
    this.#position -= 8;
    this.#bytes.writeDoubleLE(value, this.#position);
  }

  /** Includes the length. */
  string(text: string): void {
    const { length } = text;
    this.#reserve(length);
    if (length > LONG || !this.#ascii(text)) {
      const size = Buffer.byteLength(text);
      this.#reserve(size);
      this.#position -= size;
      this.#bytes.write(text, this.#position, 'utf8');
      this.varint(size);
      return;
    }
    this.#position -= length;
    this.varint(length);
  }

  /** Without a length. */
  bytes(bytes: Uint8Array): void {
    this.part(bytes, 0, bytes.length);
  }

  /** Writes the bytes from `begin` to `end`, without a length. */
  part(bytes: Uint8Array, begin: number, end: number): void {
    const length = end - begin;
    this.#reserve(length);
    const start = this.#position - length;
    this.#position = start;
    if (length > LONG_PART) this.#bytes.set(bytes.subarray(begin, end), start);
    else for (let index = 0; index < length; index++) this.#bytes[start + index] = bytes[begin + index] ?? 0;
  }

  /** Writes `text` before the position, without moving it, if the text is ASCII. */
  #ascii(text: string): boolean {
    const start = this.#position - text.length;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return false;
      this.#bytes[start + index] = code;
    }
    return true;
  }

  #reserve(count: number): void {
    if (count <= this.#position) return;
    const { size } = this;
    const larger = Buffer.allocUnsafeSlow(Math.max(size + count, this.#bytes.length * 2));
    this.#bytes.copy(larger, larger.length - size, this.#position);
    this.#bytes = larger;
    this.#position = larger.length - size;
  }
}

const shared = new WireWriter();

/** Returns the bytes that `fill` writes. `fill` must be synchronous, and must not write another message this way. */
export function writeMessage(fill: (writer: WireWriter) => void): Buffer {
  return withMessage(fill, (bytes) => Buffer.from(bytes));
}

/** Calls `use` with the bytes that `fill` writes; they are invalid afterwards. */
export function withMessage<T>(fill: (writer: WireWriter) => void, use: (bytes: Buffer) => T): T {
  try {
    fill(shared);
    return use(shared.bytesWritten);
  } finally {
    shared.reset();
  }
}
