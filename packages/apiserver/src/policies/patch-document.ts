import { kindSchema } from '@binnacle/api/table';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { mergeUntracked, UntrackedMergeError } from '@binnacle/apimachinery/managedfields';
import { formatGroupVersion, type GroupVersionKind } from '@binnacle/apimachinery/meta';
import { applyJsonPatchInSteps, JsonPatchTestError } from '@binnacle/apimachinery/patch';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { decodeTyped } from '@binnacle/apimachinery/serializer';
import { internalError, StatusError } from '@binnacle/apimachinery/status';
import { inSlices } from '../slices/index.js';

/** A patch cannot be applied. The message has upstream's words; the failure policy decides. */
export class PatchError extends Error {}

/** Applies an `ApplyConfiguration`. Throws {@link PatchError}. Upstream: `mutating/patch/smd.go`. */
export function applyConfiguration(
  document: JsonObject,
  configuration: JsonObject,
  kind: GroupVersionKind,
  schema: StructSchema,
): JsonObject {
  try {
    const own = { ...configuration, apiVersion: formatGroupVersion(kind), kind: kind.kind };
    return mergeUntracked(document, own, schema);
  } catch (error) {
    if (error instanceof UntrackedMergeError) throw new PatchError(`error applying patch: ${error.message}`);
    throw error;
  }
}

/**
 * Applies a `JSONPatch`. Returns the document itself when a test operation fails. Throws
 * {@link PatchError}. Upstream: `mutating/patch/json_patch.go`.
 */
export async function applyJsonPatch(document: JsonObject, operations: JsonObject[]): Promise<JsonObject> {
  try {
    const patched = await inSlices(applyJsonPatchInSteps(document, operations));
    if (isObject(patched)) return patched;
  } catch (error) {
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
