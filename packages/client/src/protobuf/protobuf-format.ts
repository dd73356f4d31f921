import type { JsonObject } from '@binnacle/apimachinery/json';
import { decodeProtobuf, readEnvelope, readWatchEvent, readWatchFrames } from '@binnacle/apimachinery/protobuf';
import { PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { type Format, UnexpectedAnswerError } from '../rest/index.js';
import { type SchemaOf, schemaNamed } from './schema-of.js';

/** Reads protobuf responses into the same objects as JSON. */
export function protobufFormat(schemaOf: SchemaOf): Format {
  return {
    mediaType: PROTOBUF_MEDIA_TYPE,
    decode: (body) => readObject(body, schemaOf),
    frames: readWatchFrames,
    decodeEvent(frame) {
      const { type, object } = readWatchEvent(frame);
      return { type, object: readObject(object, schemaOf) };
    },
  };
}

function readObject(bytes: Uint8Array, schemaOf: SchemaOf): JsonObject {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  const schema = schemaNamed(apiVersion, kind, schemaOf);
  if (schema === undefined) {
    throw new UnexpectedAnswerError(
      `the response is a ${kind} of ${apiVersion} in protobuf, whose schema is unknown: request JSON`,
    );
  }
  return { kind, apiVersion, ...decodeProtobuf(raw, schema, { showZeros: true }) };
}
