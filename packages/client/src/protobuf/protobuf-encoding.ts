import { getOwn, isObject } from '@binnacle/apimachinery/json';
import { encodeProtobuf, wrapEnvelope } from '@binnacle/apimachinery/protobuf';
import { DecodeError, decodeTyped, PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { type Encoding, jsonEncoding, jsonFormat } from '../rest/index.js';
import { protobufFormat } from './protobuf-format.js';
import { type SchemaOf, schemaNamed } from './schema-of.js';

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
    ofKind: (kind) => (schemaOf(kind) === undefined ? jsonEncoding : encoding),
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
