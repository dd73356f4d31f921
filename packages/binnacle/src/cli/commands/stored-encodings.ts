import { kindSchema } from '@binnacle/api/table';
import { decodeCbor } from '@binnacle/apimachinery/cbor';
import { isObject } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { decodeProtobuf, readEnvelope } from '@binnacle/apimachinery/protobuf';
import { isCbor } from '@binnacle/apimachinery/serializer';

/** An encrypted value begins with its provider, the version of the provider, and the name of a key. */
const ENCRYPTED = /^k8s:enc:[a-z]+:v[0-9]+:[^:]+:/;
/** A name in a configuration file has no limit, but a longer one is damage. */
const LONGEST_HEAD = 4096;

/** Whether a stored value is an object in an encoding other than JSON, or encrypted, and shows no damage. */
export function isStoredEncoding(value: Uint8Array): boolean {
  if (ENCRYPTED.test(Buffer.from(value.subarray(0, LONGEST_HEAD)).toString('latin1'))) return true;
  try {
    if (isCbor(value)) return isObject(decodeCbor(value).value);
    const { apiVersion, kind, raw } = readEnvelope(value);
    const groupVersion = parseGroupVersion(apiVersion);
    const schema = groupVersion === undefined ? undefined : kindSchema({ ...groupVersion, kind });
    if (schema !== undefined) decodeProtobuf(raw, schema);
    return true;
  } catch {
    return false;
  }
}
