import { JsonNumberRangeError, JsonSyntaxError, type JsonValue, MAX_JSON_DEPTH, readJson } from '../json/index.js';
import { DecodeError, isEnvelope } from '../serializer/index.js';
import { readEnvelope } from './envelope.js';
import type { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';

/** Reads the message around JSON text, `depth` containers deep; undefined if it has no text. */
export function readJsonText(reader: WireReader, depth: number): JsonValue | undefined {
  let bytes = readRaw(reader);
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (isEnvelope(bytes)) bytes = jsonWithin(bytes);
  try {
    return readJson(bytes, MAX_JSON_DEPTH - depth) ?? undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof JsonNumberRangeError) {
      throw new DecodeError(error.message, { cause: error });
    }
    throw error;
  }
}

/** A nested object may have its own envelope. Its schema is unknown, so only JSON can be read from it. */
function jsonWithin(bytes: Uint8Array): Uint8Array {
  const { raw, contentType, apiVersion, kind } = readEnvelope(bytes);
  if (contentType === 'application/json') return raw;
  throw new DecodeError(`embedded object ${apiVersion}, Kind=${kind} is protobuf, only JSON is supported there`);
}

/**
 * Reads the bytes in Go's message around an object of unknown type, up to the reader's limit; undefined if there are
 * none.
 */
export function readRaw(reader: WireReader): Uint8Array | undefined {
  let raw: Uint8Array | undefined;
  while (!reader.atEnd) {
    reader.tag('RawExtension');
    if (reader.number === 1) {
      reader.expect(DELIMITED, 'Raw');
      raw = reader.bytes();
    } else {
      reader.skip();
    }
  }
  return raw;
}
