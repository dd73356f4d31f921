import type { JsonObject } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { encodeTyped } from '../serializer/index.js';
import { JsonIndex } from './json-index.js';
import { MessageEncoder } from './message-encoder.js';
import { messagePlan } from './plan.js';
import { type WireWriter, writeMessage } from './wire-writer.js';

const shared = new JsonIndex();

/**
 * The message of an object in the form that `decodeTyped` gives, without its envelope; byte for byte what upstream writes.
 * kind and apiVersion are not part of it, nor is what the schema does not know.
 *
 * Throws as {@link transcodeJson}.
 */
export function encodeProtobuf(object: Readonly<JsonObject>, schema: StructSchema): Uint8Array {
  return transcodeJson(encodeTyped(object, schema), schema);
}

/**
 * The message of the object that has this JSON, which is as `encodeTyped` writes it: much faster than making the object.
 *
 * Throws `DecodeError` for values of other types than the schema's, and for a JSON schema within an `any` value that is none.
 */
export function transcodeJson(json: Uint8Array, schema: StructSchema): Uint8Array {
  return writeMessage((writer) => writeTranscoded(writer, json, schema));
}

/** Writes {@link transcodeJson}. */
export function writeTranscoded(writer: WireWriter, json: Uint8Array, schema: StructSchema): void {
  const plan = messagePlan(schema);
  try {
    const frame = shared.read(json, plan);
    new MessageEncoder(shared, writer).fields(plan, frame);
  } finally {
    shared.reset();
  }
}
