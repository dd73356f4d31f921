import { kindSchema } from '@binnacle/api/table';
import { decodeCbor } from '@binnacle/apimachinery/cbor';
import { isObject } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { decodeProtobuf, readEnvelope } from '@binnacle/apimachinery/protobuf';
import { isCbor } from '@binnacle/apimachinery/serializer';

/** Whether a stored value is an object in an encoding other than JSON, and shows no damage. */
export function isStoredEncoding(value: Uint8Array): boolean {
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
