/**
 * Writes fields of protobuf's wire format from the last to the first, so that the length of a nested message is known
 * when it is written.
 */
export class MessageWriter {
  readonly #buffer: Buffer;
  #position: number;

  /** `capacity`: at least the length of the finished message. */
  constructor(capacity: number) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#position = capacity;
  }

  /** Marks the end of a nested message that is about to be written. */
  get mark(): number {
    return this.#position;
  }

  /** Turns the bytes written since `mark` into the nested message of this field. */
  nest(field: number, mark: number): void {
    this.#varint(mark - this.#position);
    this.#varint(field * 8 + WIRE_BYTES);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#position -= value.length;
    this.#buffer.set(value, this.#position);
    this.#varint(value.length);
    this.#varint(field * 8 + WIRE_BYTES);
  }

  /** A safe integer of 0 or more. */
  integer(field: number, value: number): void {
    this.#varint(value);
    this.#varint(field * 8 + WIRE_VARINT);
  }

  /** A 64-bit integer. */
  long(field: number, value: bigint): void {
    const bytes = [];
    let rest = BigInt.asUintN(64, value);
    for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    bytes.push(Number(rest));
    this.#position -= bytes.length;
    this.#buffer.set(bytes, this.#position);
    this.#varint(field * 8 + WIRE_VARINT);
  }

  flag(field: number): void {
    this.integer(field, 1);
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#position);
  }

  #varint(value: number): void {
    let length = 1;
    for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) length += 1;
    this.#position -= length;
    let rest = value;
    let at = this.#position;
    for (; rest > 127; rest = Math.floor(rest / 128)) {
      this.#buffer[at] = (rest % 128) | 128;
      at += 1;
    }
    this.#buffer[at] = rest;
  }
}

const WIRE_VARINT = 0;
const WIRE_FIXED64 = 1;
const WIRE_BYTES = 2;
const WIRE_FIXED32 = 5;

/** Reads the fields of one message. After `next` returns a field, exactly one other method must read its value. */
export class MessageReader {
  readonly #buffer: Buffer;
  #position: number;
  readonly #end: number;
  #wireType = 0;

  constructor(buffer: Buffer, start = 0, end = buffer.length) {
    this.#buffer = buffer;
    this.#position = start;
    this.#end = end;
  }

  /** The number of the next field; 0 at the end of the message. */
  next(): number {
    if (this.#position >= this.#end) return 0;
    const tag = this.integer();
    this.#wireType = tag % 8;
    return Math.floor(tag / 8);
  }

  /** An int64 that is a safe integer. */
  integer(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = this.#byte();
      if (shift < 28) low |= (byte & 127) << shift;
      else if (shift === 28) {
        low |= (byte & 15) << 28;
        high = (byte & 127) >> 4;
      } else high |= (byte & 127) << (shift - 32);
      if (byte < 128) return high * 0x1_0000_0000 + (low >>> 0);
    }
    throw new Error('a number of the message is too long');
  }

  /** A 64-bit integer. */
  long(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new Error('a number of the message is too long');
  }

  flag(): boolean {
    return this.integer() !== 0;
  }

  text(): string {
    const start = this.#span();
    return this.#buffer.toString('utf8', start, this.#position);
  }

  /** A copy: long-lived values must not retain the message they came in. */
  bytes(): Uint8Array {
    const start = this.#span();
    return Buffer.from(this.#buffer.subarray(start, this.#position));
  }

  message(): MessageReader {
    const start = this.#span();
    return new MessageReader(this.#buffer, start, this.#position);
  }

  skip(): void {
    if (this.#wireType === WIRE_VARINT) while (this.#byte() > 127);
    else if (this.#wireType === WIRE_BYTES) this.#span();
    else if (this.#wireType === WIRE_FIXED64) this.#advance(8);
    else if (this.#wireType === WIRE_FIXED32) this.#advance(4);
    else throw new Error(`wire type ${this.#wireType} is unknown`);
  }

  /** Skips a length and that many bytes; returns where they begin. */
  #span(): number {
    const length = this.integer();
    const start = this.#position;
    this.#advance(length);
    return start;
  }

  #advance(length: number): void {
    if (length < 0 || this.#position + length > this.#end) throw new Error('the message is truncated');
    this.#position += length;
  }

  #byte(): number {
    const byte = this.#position < this.#end ? this.#buffer[this.#position] : undefined;
    if (byte === undefined) throw new Error('the message is truncated');
    this.#position += 1;
    return byte;
  }
}
