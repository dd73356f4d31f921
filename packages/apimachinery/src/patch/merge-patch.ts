import {
  copyMembersInSteps,
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  keysInSteps,
  setOwn,
} from '../json/index.js';
import { badRequest } from '../status/index.js';
import { finish, Pace, type Steps } from '../work/index.js';
import { PatchedNumbers } from './patched-numbers.js';

/** About a millisecond of work. */
const VALUES_PER_STEP = 10_000;

/**
 * RFC 7386, with upstream's one deviation: an added object loses its null fields, even inside lists. Throws 400 for a
 * patch that is not an object. Upstream: evanphx/json-patch v4 `MergePatch`.
 */
export function applyMergePatch(document: JsonObject, patch: JsonValue): JsonObject {
  return finish(applyMergePatchInSteps(document, patch));
}

/** {@link applyMergePatch} in steps. `numbers` has the texts of the patch, and gets those of the result. */
export function* applyMergePatchInSteps(
  document: JsonObject,
  patch: JsonValue,
  numbers = new PatchedNumbers(),
): Steps<JsonObject> {
  if (!isObject(patch)) throw badRequest('Invalid JSON Patch');
  return yield* new Merge(numbers).objects(document, patch);
}

/** Removes null fields of objects; null items of lists stay. */
export function withoutNulls(value: JsonValue): JsonValue {
  return finish(new Merge(new PatchedNumbers()).withoutNulls(value));
}

class Merge {
  readonly #numbers: PatchedNumbers;
  readonly #pace = new Pace(VALUES_PER_STEP);

  constructor(numbers: PatchedNumbers) {
    this.#numbers = numbers;
  }

  *objects(document: JsonObject, patch: JsonObject): Steps<JsonObject> {
    let result: JsonObject | undefined;
    for (const key of yield* keysInSteps(patch)) {
      if (this.#pace.endsStep()) yield;
      const change = patch[key];
      if (change === undefined) continue;
      const current = getOwn(document, key);
      if (change === null) {
        if (current === undefined) continue;
        result ??= yield* copyMembersInSteps(document, this.#pace);
        delete result[key];
        continue;
      }
      const merged = yield* this.#values(current, change);
      if (merged === current) continue;
      result ??= yield* copyMembersInSteps(document, this.#pace);
      setOwn(result, key, merged);
    }
    this.#numbers.share(patch, result ?? document);
    return result ?? document;
  }

  *#values(current: JsonValue | undefined, change: JsonValue): Steps<JsonValue> {
    if (!isObject(current)) return yield* this.withoutNulls(change);
    return isObject(change) ? yield* this.objects(current, change) : change;
  }

  *withoutNulls(value: JsonValue): Steps<JsonValue> {
    if (Array.isArray(value)) return yield* this.#listWithoutNulls(value);
    if (!isObject(value)) return value;
    const result: JsonObject = {};
    for (const key of yield* keysInSteps(value)) {
      if (this.#pace.endsStep()) yield;
      const field = value[key];
      if (field !== null && field !== undefined) setOwn(result, key, yield* this.withoutNulls(field));
    }
    this.#numbers.share(value, result);
    return result;
  }

  *#listWithoutNulls(list: JsonValue[]): Steps<JsonValue[]> {
    const result: JsonValue[] = [];
    for (const item of list) {
      if (this.#pace.endsStep()) yield;
      result.push(typeof item === 'object' && item !== null ? yield* this.withoutNulls(item) : item);
    }
    this.#numbers.share(list, result);
    return result;
  }
}
