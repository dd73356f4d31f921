import type { JsonObject } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { encodeTyped } from '../serializer/index.js';
import type { Steps } from '../work/index.js';
import { JsonIndex } from './json-index.js';
import { MessageEncoder } from './message-encoder.js';
import { messagePlan } from './plan.js';
import { WireWriter, withMessage, writeMessage } from './wire-writer.js';
import { DELIMITED, tagOf } from './wire-type.js';

/** From this length on, reading and writing a document take milliseconds each. */
const LONG_BYTES = 128 * 1024;

const shared = new JsonIndex();

/**
 * Returns the protobuf message of an object, without an envelope. The object has the form that `decodeTyped` returns. The bytes equal
 * upstream's. Omits kind, apiVersion and fields that the schema does not know.
 *
 * Throws like {@link transcodeJson}.
 */
export function encodeProtobuf(object: Readonly<JsonObject>, schema: StructSchema): Uint8Array {
  return transcodeJson(encodeTyped(object, schema), schema);
}

/**
 * Encodes an object from its JSON, which must be in the form that `encodeTyped` writes. Much faster than decoding the
 * object first.
 *
 * Throws `DecodeError` for values of other types than the schema's, and for an invalid JSON schema in an `any` value.
 */
export function transcodeJson(json: Uint8Array, schema: StructSchema): Uint8Array {
  return writeMessage((writer) => writeTranscoded(writer, json, schema));
}

/**
 * {@link transcodeJson} in steps: a long document is read in one, and written in another. It must not change between
 * them.
 */
export function* transcodeJsonInSteps(json: Uint8Array, schema: StructSchema): Steps<Uint8Array> {
  if (json.length < LONG_BYTES) return transcodeJson(json, schema);
  const plan = messagePlan(schema);
  const index = new JsonIndex();
  const frame = index.read(json, plan);
  yield;
  const writer = new WireWriter();
  new MessageEncoder(index, writer).fields(plan, frame);
  yield;
  return writer.takeSince(0);
}

/** Writes the message of {@link transcodeJson}. */
function writeTranscoded(writer: WireWriter, json: Uint8Array, schema: StructSchema): void {
  const plan = messagePlan(schema);
  try {
    const frame = shared.read(json, plan);
    new MessageEncoder(shared, writer).fields(plan, frame);
  } finally {
    shared.reset();
  }
}

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
