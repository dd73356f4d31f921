import { messageOf } from '@binnacle/apimachinery/errors';
import { isObject, type JsonObject, type JsonValue, parseJsonInSteps } from '@binnacle/apimachinery/json';
import { applyJsonPatchInSteps } from '@binnacle/apimachinery/patch';
import { goKindOf } from '@binnacle/apimachinery/serializer';
import { internalError, StatusError } from '@binnacle/apimachinery/status';
import type { WorkBudget } from '@binnacle/apimachinery/work';
import { inSlices } from '../slices/index.js';
import { WebhookCallError } from '../webhooks/index.js';

/**
 * The operations of a JSON patch. Throws {@link WebhookCallError} for anything else, so that the failure policy decides.
 * A patch that cannot be applied fails the request whatever the policy. Upstream: `jsonpatch.DecodePatch`.
 */
export async function readPatch(bytes: Uint8Array): Promise<readonly JsonValue[]> {
  let value: JsonValue;
  try {
    ({ value } = await inSlices(parseJsonInSteps(bytes)));
  } catch (error) {
    throw undecodable(messageOf(error));
  }
  if (value === null) return [];
  if (!Array.isArray(value)) throw undecodable(mismatch(value, 'Patch'));
  const wrong = value.find((operation) => operation !== null && !isObject(operation));
  if (wrong !== undefined) throw undecodable(mismatch(wrong, 'Operation'));
  return value;
}

/** Applies a patch. Throws StatusError 500 in upstream's words if an operation fails. */
export async function patched(
  document: JsonObject,
  operations: readonly JsonValue[],
  budget: WorkBudget,
): Promise<JsonObject> {
  try {
    const result = await inSlices(applyJsonPatchInSteps(document, [...operations], { budget }));
    if (isObject(result)) return result;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw internalError(error.cause instanceof Error ? error.cause : error);
  }
  throw internalError('the patch replaces the object by a list');
}

function undecodable(reason: string): WebhookCallError {
  return new WebhookCallError(`received undecodable patch in webhook response: ${reason}`);
}

function mismatch(value: JsonValue, type: string): string {
  return `json: cannot unmarshal ${goKindOf(value)} into Go value of type jsonpatch.${type}`;
}
