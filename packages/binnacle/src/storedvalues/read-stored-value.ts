import { kindSchema } from '@binnacle/api/table';
import { decodeCbor } from '@binnacle/apimachinery/cbor';
import { isObject, type JsonObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { decodeProtobuf, readEnvelope } from '@binnacle/apimachinery/protobuf';
import { isCbor, isEnvelope } from '@binnacle/apimachinery/serializer';

/** An encrypted value begins with its provider, the version of the provider, and the name of a key. */
const ENCRYPTED = /^k8s:enc:[a-z]+:v[0-9]+:[^:]+:/;
/** A name in a configuration file has no limit, but a longer one is damage. */
const LONGEST_HEAD = 4096;

/** What an API server has stored under a key. `unknown`: in protobuf, of a kind without a schema here. */
export type StoredValue =
  | { readonly type: 'object'; readonly object: JsonObject }
  | { readonly type: 'encrypted' }
  | { readonly type: 'unknown'; readonly apiVersion: string; readonly kind: string };

/** Reads a value of a store in any encoding: JSON, protobuf, CBOR. Throws an Error when it is damaged or is something else. */
export function readStoredValue(value: Uint8Array): StoredValue {
  if (ENCRYPTED.test(Buffer.from(value.subarray(0, LONGEST_HEAD)).toString('latin1'))) return { type: 'encrypted' };
  if (isEnvelope(value)) return readProtobuf(value);
  return { type: 'object', object: objectOf(isCbor(value) ? decodeCbor(value).value : parseJson(value).value) };
}

/** Whether a value can be read, as far as its kind is known here, or is encrypted. */
export function isStoredValue(value: Uint8Array): boolean {
  try {
    readStoredValue(value);
    return true;
  } catch {
    return false;
  }
}

function readProtobuf(value: Uint8Array): StoredValue {
  const { apiVersion, kind, raw } = readEnvelope(value);
  const groupVersion = parseGroupVersion(apiVersion);
  const schema = groupVersion === undefined ? undefined : kindSchema({ ...groupVersion, kind });
  if (schema === undefined) return { type: 'unknown', apiVersion, kind };
  return {
    type: 'object',
    object: { apiVersion, kind, ...objectOf(decodeProtobuf(raw, schema, { clampsTimes: true })) },
  };
}

function objectOf(value: JsonValue): JsonObject {
  if (!isObject(value)) throw new Error('it is not an object');
  return value;
}
