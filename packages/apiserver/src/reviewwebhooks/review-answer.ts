import { getOwn, isObject, isTexts, type JsonObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { typeMetaProblem } from '@binnacle/apimachinery/serializer';

/** The answer of a webhook is not a review, or its status has a field of the wrong type. */
export class ReviewAnswerError extends Error {
  override readonly name = 'ReviewAnswerError';
}

/** The status of an answered review. Throws {@link ReviewAnswerError} for an answer of another version or kind. */
export function statusOf(answer: Uint8Array, apiVersion: string, kind: string): JsonObject {
  const review = parsed(answer);
  const given = [textIn(review, 'apiVersion'), textIn(review, 'kind')] as const;
  if (given[0] !== apiVersion || given[1] !== kind) {
    const shown = given.join(', Kind=');
    throw new ReviewAnswerError(`the webhook answered with ${shown} instead of ${apiVersion}, Kind=${kind}`);
  }
  return objectIn(review, 'status');
}

/** An answer that is not an object fails with upstream's message, which a client may see. */
function parsed(answer: Uint8Array): JsonObject {
  const value = valueOf(answer);
  if (isObject(value)) return value;
  throw new ReviewAnswerError(typeMetaProblem(value));
}

/** Text that is not JSON counts as a string, because upstream reads YAML. */
function valueOf(answer: Uint8Array): JsonValue {
  try {
    return parseJson(answer).value ?? '';
  } catch {
    return '';
  }
}

/** An absent or null field counts as empty. Throws {@link ReviewAnswerError} for another type. So do the functions below. */
export function objectIn(holder: JsonObject, field: string): JsonObject {
  const value = getOwn(holder, field) ?? {};
  return isObject(value) ? value : wrongType(field, 'an object');
}

export function textIn(holder: JsonObject, field: string): string {
  const value = getOwn(holder, field) ?? '';
  return typeof value === 'string' ? value : wrongType(field, 'a string');
}

export function booleanIn(holder: JsonObject, field: string): boolean {
  const value = getOwn(holder, field) ?? false;
  return typeof value === 'boolean' ? value : wrongType(field, 'a boolean');
}

export function textsIn(holder: JsonObject, field: string): readonly string[] {
  const value = getOwn(holder, field) ?? [];
  return isTexts(value) ? value : wrongType(field, 'a list of strings');
}

function wrongType(field: string, wanted: string): never {
  throw new ReviewAnswerError(`the webhook answered with a field ${JSON.stringify(field)} that is not ${wanted}`);
}
