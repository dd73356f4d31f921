import type { StructSchema } from '../schema/index.js';
import { writeTranscoded } from './encode.js';
import { DELIMITED, tagOf } from './wire-type.js';
import { withMessage } from './wire-writer.js';

const FIRST_PIECE_BYTES = 16 * 1024;
const LARGEST_PIECE_BYTES = 256 * 1024;

/** A message that is made field by field, such as a list of many objects. Its bytes stand in pieces, each of many fields. */
export class MessageFields {
  /** Of all bytes. */
  length = 0;
  readonly #full: Uint8Array[] = [];
  #piece = Buffer.allocUnsafeSlow(FIRST_PIECE_BYTES);
  #used = 0;

  /** Adds an object as a field of this number: its JSON is as for `transcodeJson`, which says what is thrown. */
  add(number: number, json: Uint8Array, schema: StructSchema): void {
    withMessage(
      (writer) => {
        writeTranscoded(writer, json, schema);
        writer.lengthSince(0);
        writer.varint(tagOf(number, DELIMITED));
      },
      (bytes) => this.#append(bytes),
    );
  }

  get pieces(): readonly Uint8Array[] {
    return [...this.#full, this.#piece.subarray(0, this.#used)];
  }

  #append(bytes: Uint8Array): void {
    if (this.#used + bytes.length > this.#piece.length) {
      this.#full.push(this.#piece.subarray(0, this.#used));
      const size = Math.min(this.#piece.length * 2, LARGEST_PIECE_BYTES);
      this.#piece = Buffer.allocUnsafeSlow(Math.max(size, bytes.length));
      this.#used = 0;
    }
    this.#piece.set(bytes, this.#used);
    this.#used += bytes.length;
    this.length += bytes.length;
  }
}
