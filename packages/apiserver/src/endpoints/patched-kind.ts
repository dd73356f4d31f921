import { kindSchema } from '@binnacle/api/table';
import { isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { DecodeError, decodeTyped, goKindOf } from '@binnacle/apimachinery/serializer';
import { badRequest, internalError } from '@binnacle/apimachinery/status';
import type { KindCodec } from '../codec/index.js';
import { wrongKindReason } from './wrong-kind.js';

/**
 * The patched object, with its kind and version checked. The kind is filled in only for typed resources. Undefined
 * for an object without a kind of another resource. Throws DecodeError, or a StatusError for an object without a version.
 */
export function ofKind(outcome: JsonValue, codec: KindCodec, name: string): JsonObject | undefined {
  if (!isObject(outcome)) throw new DecodeError('json: cannot unmarshal the patched value into an object');
  const kind = typeText(outcome, 'kind');
  const apiVersion = typeText(outcome, 'apiVersion');
  if (codec.untyped === true) {
    if (kind === '') return undefined;
    if (apiVersion === '') throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    return outcome;
  }
  if (apiVersion === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  const named = kind === '' ? { ...outcome, kind: codec.groupVersionKind.kind } : outcome;
  refuseOtherKind(named, kind || codec.groupVersionKind.kind, apiVersion, codec);
  return named;
}

function typeText(outcome: JsonObject, field: 'kind' | 'apiVersion'): string {
  const value = outcome[field] ?? '';
  if (typeof value === 'string') return value;
  const reason = `json: cannot unmarshal ${goKindOf(value)} into Go struct field .${field} of type string`;
  throw new DecodeError(`couldn't get version/kind; json parse error: ${reason}`);
}

/** Upstream decodes the object as the kind it names, and then checks that kind. */
function refuseOtherKind(outcome: JsonObject, kind: string, apiVersion: string, codec: KindCodec): void {
  const expected = codec.groupVersionKind;
  if (kind === expected.kind && apiVersion === codec.apiVersion) return;
  const given = { group: '', version: '', ...parseGroupVersion(apiVersion), kind };
  const schema = kindSchema(given);
  if (schema !== undefined) decodeTyped(outcome, schema);
  throw new DecodeError(wrongKindReason(given, expected, schema !== undefined));
}
