import type { StructSchema } from '../schema/index.js';
import { writeTranscoded } from './encode.js';
import { DELIMITED, tagOf } from './wire-type.js';
import { withMessage, type WireWriter, writeMessage } from './wire-writer.js';

/**
 * Encodes an object as a field of this number, such as an item of a list: tag, length and message. `transcodeJson`
 * describes the JSON and the errors.
 */
export function messageField(number: number, json: Uint8Array, schema: StructSchema): Uint8Array {
  return writeMessage((writer) => write(writer, number, json, schema));
}

/** The length of {@link messageField}. */
export function messageFieldLength(number: number, json: Uint8Array, schema: StructSchema): number {
  return withMessage(
    (writer) => write(writer, number, json, schema),
    (bytes) => bytes.length,
  );
}

function write(writer: WireWriter, number: number, json: Uint8Array, schema: StructSchema): void {
  writeTranscoded(writer, json, schema);
  writer.lengthSince(0);
  writer.varint(tagOf(number, DELIMITED));
}
