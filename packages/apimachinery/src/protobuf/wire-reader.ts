import { decodeUtf8, type Int64 } from '../json/index.js';
import { DecodeError } from '../serializer/index.js';
import { DELIMITED, END_GROUP, FIXED32, FIXED64, START_GROUP, VARINT } from './wire-type.js';

/** Up to this length, one character at a time is as fast as the engine's decoder, and detects ASCII. */
const SHORT = 64;
const LOW_BITS = 49n;
/** The place value of the last byte of a length; no message is longer. */
const MAX_SCALE = 128 ** 4;

/**
 * Reads the parts of messages in order. It never reads beyond {@link limit}, the end of the innermost message or list
 * entered. Every failure is a `DecodeError` with the message of Go's generated decoders.
 */
export class WireReader {
  /** The number of the field whose {@link tag} was read last. */
  number = 0;
  wireType = 0;
  readonly #bytes: Buffer;
  #position = 0;
  #limit: number;

  /** Keeps `bytes` without a copy, so they must not change while the reader is in use. */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limit = bytes.length;
  }

  get atEnd(): boolean {
    return this.#position === this.#limit;
  }

  /**
   * Reads a length and limits reading to that many bytes. Returns the previous limit, to be passed to {@link leave}.
   */
  enter(): number {
    const end = this.#end();
    const outer = this.#limit;
    this.#limit = end;
    return outer;
  }

  /** The length that {@link enter} would read; 0 if it is malformed. */
  nextLength(): number {
    let length = 0;
    for (let at = this.#position, scale = 1; at < this.#limit && scale <= MAX_SCALE; at++, scale *= 128) {
      const byte = this.#bytes[at] ?? 0;
      length += (byte & 0x7f) * scale;
      if (byte < 0x80) return length;
    }
    return 0;
  }

  leave(outer: number): void {
    this.#limit = outer;
  }

  /** Reads the tag of a field; errors name `message`. */
  tag(message: string): void {
    const wire = this.#tag();
    if (this.wireType === END_GROUP) throw new DecodeError(`proto: ${message}: wiretype end group for non-group`);
    if (this.number <= 0) {
      throw new DecodeError(
        `proto: ${message}: illegal tag ${this.number} (wire type ${BigInt.asUintN(64, BigInt(wire))})`,
      );
    }
  }

  /** Reads the tag of a field of a map entry, which may have any number. */
  entryTag(): void {
    this.#tag();
  }

  #tag(): Int64 {
    const first = this.#byte();
    let wire: Int64 = first;
    if (first >= 0x80) {
      this.#position--;
      wire = this.int64();
    }
    const small = typeof wire === 'number' && wire >= 0 && wire < 2 ** 31;
    this.wireType = small ? Number(wire) & 7 : Number(BigInt(wire) & 7n);
    this.number = small ? Number(wire) >> 3 : Number(BigInt.asIntN(32, BigInt.asUintN(64, BigInt(wire)) >> 3n));
    return wire;
  }

  /** Throws unless the value has this wire type; errors name `field`. */
  expect(wireType: number, field: string): void {
    if (this.wireType !== wireType) {
      throw new DecodeError(`proto: wrong wireType = ${this.wireType} for field ${field}`);
    }
  }

  /** Skips the value; for a group, everything in it, including nested groups. */
  skip(): void {
    let depth = 0;
    for (;;) {
      switch (this.wireType) {
        case VARINT:
          this.int64();
          break;
        case FIXED64:
          this.#advance(8);
          break;
        case DELIMITED:
          this.#position = this.#end();
          break;
        case START_GROUP:
          depth++;
          break;
        case END_GROUP:
          if (depth === 0) throw new DecodeError('proto: unexpected end of group');
          depth--;
          break;
        case FIXED32:
          this.#advance(4);
          break;
        default:
          throw new DecodeError(`proto: illegal wireType ${this.wireType}`);
      }
      if (depth === 0) return;
      const wire = this.int64();
      this.wireType = typeof wire === 'number' && wire >= 0 ? wire % 8 : Number(BigInt(wire) & 7n);
    }
  }

  /** Reads a varint as a signed 64-bit integer and truncates excess bits. */
  int64(): Int64 {
    let low = 0;
    let scale = 1;
    for (let count = 0; count < 7; count++) {
      const byte = this.#byte();
      low += (byte & 0x7f) * scale;
      if (byte < 0x80) return low;
      scale *= 128;
    }
    let high = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.#byte();
      high |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        const exact = BigInt.asIntN(64, (BigInt(high) << LOW_BITS) | BigInt(low));
        const double = Number(exact);
        return Number.isSafeInteger(double) ? double : exact;
      }
    }
    throw new DecodeError('proto: integer overflow');
  }

  /** Reads a varint as a signed 32-bit integer and truncates excess bits. */
  int32(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new DecodeError('proto: integer overflow');
  }

  boolean(): boolean {
    return this.int64() !== 0;
  }

  double(): number {
    const start = this.#position;
    this.#advance(8);
    return this.#bytes.readDoubleLE(start);
  }

  /** Replaces invalid UTF-8, as Go does when it encodes JSON. */
  string(): string {
    const end = this.#end();
    const start = this.#position;
    this.#position = end;
    if (end - start > SHORT) return decodeUtf8(this.#bytes.subarray(start, end));
    for (let index = start; index < end; index++) {
      if ((this.#bytes[index] ?? 0) >= 0x80) return decodeUtf8(this.#bytes.subarray(start, end));
    }
    return this.#bytes.toString('latin1', start, end);
  }

  /** A view, not a copy. */
  bytes(): Buffer {
    const start = this.#end();
    const view = this.#bytes.subarray(this.#position, start);
    this.#position = start;
    return view;
  }

  /** Reads a length and returns the end of that many bytes. */
  #end(): number {
    const length = this.int64();
    if (length < 0) throw new DecodeError('proto: negative length found during unmarshaling');
    if (length > this.#limit - this.#position) throw unexpectedEnd();
    return this.#position + Number(length);
  }

  #advance(count: number): void {
    if (count > this.#limit - this.#position) throw unexpectedEnd();
    this.#position += count;
  }

  #byte(): number {
    if (this.#position >= this.#limit) throw unexpectedEnd();
    return this.#bytes[this.#position++] ?? 0;
  }
}

function unexpectedEnd(): DecodeError {
  return new DecodeError('unexpected EOF');
}
