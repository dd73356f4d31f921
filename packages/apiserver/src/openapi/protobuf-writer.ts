const INITIAL_BYTES = 1 << 20;
const LENGTH_DELIMITED = 2;

/** Writes protobuf messages in the order of the calls. Zero values are the caller's to leave out. */
export class ProtobufWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  #at = 0;

  /** The message written so far; shares memory with the writer. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  string(field: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(length);
    this.#reserve(length);
    this.#at += this.#bytes.write(text, this.#at);
  }

  true(field: number): void {
    this.#tag(field, 0);
    this.#varint(1);
  }

  /** A nested message, written by `body`. Its length goes in front of it once known, and moves it when longer than a byte. */
  message(field: number, body: () => void): void {
    this.#tag(field, LENGTH_DELIMITED);
    const start = this.#at;
    this.#reserve(1);
    this.#at++;
    body();
    const length = this.#at - start - 1;
    const extra = varintLength(length) - 1;
    if (extra > 0) {
      this.#reserve(extra);
      this.#bytes.copyWithin(start + 1 + extra, start + 1, this.#at);
    }
    const end = this.#at + extra;
    this.#at = start;
    this.#varint(length);
    this.#at = end;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest >>>= 7) length++;
  return length;
}
