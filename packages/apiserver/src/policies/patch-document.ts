import { kindSchema } from '@binnacle/api/table';
import {
  applyConfigurationOf,
  jsonPatchOf,
  PatchValueError,
  type Value,
} from '@binnacle/apimachinery/admission-expressions';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { mergeUntracked, UntrackedMergeError } from '@binnacle/apimachinery/managedfields';
import { formatGroupVersion, type GroupVersionKind } from '@binnacle/apimachinery/meta';
import { applyJsonPatchInSteps, JsonPatchTestError } from '@binnacle/apimachinery/patch';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { decodeTyped } from '@binnacle/apimachinery/serializer';
import { internalError, StatusError } from '@binnacle/apimachinery/status';
import { inSlices } from '../slices/index.js';

/** The value of a mutation cannot be applied. The message has upstream's words; the failure policy decides. */
export class PatchError extends Error {}

/** Applies the value of an `ApplyConfiguration`. Throws {@link PatchError}. Upstream: `mutating/patch/smd.go`. */
export function applyConfiguration(
  document: JsonObject,
  value: Value,
  kind: GroupVersionKind,
  schema: StructSchema,
): JsonObject {
  try {
    const configuration = applyConfigurationOf(value);
    const own = { ...configuration, apiVersion: formatGroupVersion(kind), kind: kind.kind };
    return mergeUntracked(document, own, schema);
  } catch (error) {
    if (error instanceof PatchValueError) throw new PatchError(error.message);
    if (error instanceof UntrackedMergeError) throw new PatchError(`error applying patch: ${error.message}`);
    throw error;
  }
}

/**
 * Applies the value of a `JSONPatch`. Returns the document itself when a test operation fails. Throws
 * {@link PatchError}. Upstream: `mutating/patch/json_patch.go`.
 */
export async function applyJsonPatch(document: JsonObject, value: Value): Promise<JsonObject> {
  try {
    const patched = await inSlices(applyJsonPatchInSteps(document, jsonPatchOf(value)));
    if (isObject(patched)) return patched;
  } catch (error) {
    if (error instanceof PatchValueError) throw new PatchError(error.message);
    if (!(error instanceof StatusError)) throw error;
    if (error.cause instanceof JsonPatchTestError) return document;
    throw new PatchError(`JSON Patch: ${error.cause instanceof Error ? error.cause.message : error.message}`);
  }
  throw new PatchError('JSON Patch: the patch replaces the object by a list');
}

/** Throws StatusError 500 for fields that a built-in kind does not have. */
export function refuseUnknownFields(document: JsonObject, kind: GroupVersionKind): void {
  const schema = kindSchema(kind);
  const unknown = schema === undefined ? [] : decodeTyped(document, schema).strictErrors;
  if (unknown.length > 0) throw internalError(`strict decoding error: ${unknown.join(', ')}`);
}
