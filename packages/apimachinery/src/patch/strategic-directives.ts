import { formatGoValue, isObject, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import { badRequest, type StatusError, unclassified } from '../status/index.js';
import type { Pace, Steps } from '../work/index.js';
import { goTypeName } from './go-type-name.js';

export const PATCH = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const SET_ELEMENT_ORDER = '$setElementOrder';
export const DELETE_FROM_PRIMITIVE_LIST = '$deleteFromPrimitiveList';

/** Error messages of strategic merge. Upstream: apimachinery `pkg/util/mergepatch/errors.go`. */
export function badPrimitiveList(): StatusError {
  return badRequest('invalid patch format of primitive list');
}

export function badRetainKeys(): StatusError {
  return badRequest('invalid patch format of retainKeys');
}

export function badElementOrder(): StatusError {
  return badRequest('invalid patch format of setElementOrder list');
}

export function wrongType(expected: JsonValue, actual: JsonValue | undefined): StatusError {
  return unclassified(`expected a ${goTypeName(expected)}, but received a ${goTypeName(actual)}`);
}

export function noMergeKey(item: JsonObject, mergeKey: string): StatusError {
  return unclassified(`map: ${formatGoValue(item)} does not contain declared merge key: ${mergeKey}`);
}

export function unknownDirective(directive: JsonValue | undefined, item: JsonObject): StatusError {
  const shown =
    typeof directive === 'string' ? directive : `%!s(${goTypeName(directive)}=${formatGoValue(directive ?? null)})`;
  return unclassified(`unknown patch type: ${shown} in map: ${formatGoValue(item)}`);
}

/**
 * The list named by `$setElementOrder/x` or `$deleteFromPrimitiveList/x`; undefined if the key does not have the
 * prefix.
 */
export function directiveTarget(key: string, prefix: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined;
}

/**
 * A new value of a patch without its directives and, with `dropNulls`, without null fields. Undefined if it is itself a
 * directive.
 */
export function* plainValue(value: JsonValue, dropNulls: boolean, pace: Pace): Steps<JsonValue | undefined> {
  if (Array.isArray(value)) return yield* plainList(value, dropNulls, pace);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, PATCH) && !(dropNulls && value[PATCH] === null)) return undefined;
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (pace.endsStep()) yield;
    const field = value[key];
    if (field === undefined || (dropNulls && field === null)) continue;
    const plain = typeof field === 'object' ? yield* plainValue(field, dropNulls, pace) : field;
    if (plain !== undefined) setOwn(result, key, plain);
  }
  return result;
}

function* plainList(list: readonly JsonValue[], dropNulls: boolean, pace: Pace): Steps<JsonValue[]> {
  const result: JsonValue[] = [];
  for (const item of list) {
    if (pace.endsStep()) yield;
    const plain = typeof item === 'object' ? yield* plainValue(item, dropNulls, pace) : item;
    if (plain !== undefined) result.push(plain);
  }
  return result;
}
