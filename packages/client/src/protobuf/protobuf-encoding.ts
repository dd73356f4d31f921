import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import {
  decodeProtobuf,
  encodeProtobuf,
  readEnvelope,
  readWatchEvent,
  readWatchFrames,
  wrapEnvelope,
} from '@binnacle/apimachinery/protobuf';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { DecodeError, decodeTyped, PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { type Encoding, type Format, jsonEncoding, jsonFormat, UnexpectedResponseError } from '../rest/index.js';

/**
 * The schema of a kind; undefined if it is unknown. `kindSchema` of `@binnacle/api/table` has the built-in kinds, their lists, and kinds such as
 * Status.
 */
export type SchemaOf = (kind: GroupVersionKind) => StructSchema | undefined;

function schemaNamed(apiVersion: string, kind: string, schemaOf: SchemaOf): StructSchema | undefined {
  const groupVersion = parseGroupVersion(apiVersion);
  return groupVersion === undefined ? undefined : schemaOf({ ...groupVersion, kind });
}

/**
 * Protobuf for kinds with a known schema, JSON for all others. An object with an unknown field, or a field of another type, is sent as JSON, so that
 * the server can report the error.
 */
export function protobufEncoding(schemaOf: SchemaOf): Encoding {
  const encoding: Encoding = {
    formats: [protobufFormat(schemaOf), jsonFormat],
    encode(object) {
      const body = tryEncode(object, schemaOf);
      return body === undefined ? jsonEncoding.encode(object) : { contentType: PROTOBUF_MEDIA_TYPE, body };
    },
    ofKind: (kind) => (kind === undefined || schemaOf(kind) === undefined ? jsonEncoding : encoding),
  };
  return encoding;
}

function tryEncode(object: unknown, schemaOf: SchemaOf): Uint8Array | undefined {
  if (!isObject(object)) return undefined;
  const apiVersion = getOwn(object, 'apiVersion');
  const kind = getOwn(object, 'kind');
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const schema = schemaNamed(apiVersion, kind, schemaOf);
  if (schema === undefined) return undefined;
  try {
    const { object: typed, strictErrors } = decodeTyped(object, schema);
    return strictErrors.length > 0 ? undefined : wrapEnvelope(apiVersion, kind, encodeProtobuf(typed, schema));
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

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
    throw new UnexpectedResponseError(
      `the response is a ${kind} of ${apiVersion} in protobuf, whose schema is unknown: request JSON`,
    );
  }
  return { kind, apiVersion, ...decodeProtobuf(raw, schema, { showZeros: true }) };
}
