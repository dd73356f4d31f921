import { kindSchema } from '@binnacle/api/table';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { decodeProtobuf, readEnvelope } from '@binnacle/apimachinery/protobuf';

/** Whether a stored value is an object in protobuf, undamaged as far as can be told. */
export function isStoredProtobuf(value: Uint8Array): boolean {
  try {
    const { apiVersion, kind, raw } = readEnvelope(value);
    const groupVersion = parseGroupVersion(apiVersion);
    const schema = groupVersion === undefined ? undefined : kindSchema({ ...groupVersion, kind });
    if (schema !== undefined) decodeProtobuf(raw, schema);
    return true;
  } catch {
    return false;
  }
}
