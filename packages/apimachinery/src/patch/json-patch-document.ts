import {
  copyMembersInSteps,
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  keysInSteps,
  setOwn,
} from '../json/index.js';
import { quoteGo } from '../status/index.js';
import { Pace, type Steps, type WorkBudget } from '../work/index.js';
import { PatchPathError, patchRejected } from './errors.js';
import type { Part, PatchedNumbers } from './patched-numbers.js';

type Container = JsonObject | JsonValue[];

/** Moving or copying this many list items costs one visit. */
const ITEMS_PER_UNIT = 128;
/** Copying this many fields of an object, or following this many path tokens, costs one visit. */
const FIELDS_PER_UNIT = 2;
/** About a millisecond of copying. */
const FIELDS_PER_STEP = 5000;

/**
 * A document being patched. Containers are copied on first write, and only once, so the source stays unchanged. Array
 * indexes follow upstream: negative ones count from the end.
 */
export class PatchedDocument {
  #root: JsonValue;
  /** The containers that this document created. Each has only one parent. */
  readonly #own = new WeakSet<Container>();

  readonly #pace = new Pace(FIELDS_PER_STEP);
  readonly #budget: WorkBudget;
  readonly #numbers: PatchedNumbers;

  constructor(root: JsonValue, budget: WorkBudget, numbers: PatchedNumbers) {
    this.#root = root;
    this.#budget = budget;
    this.#numbers = numbers;
  }

  get root(): JsonValue {
    return this.#root;
  }

  /** The value at `path`; undefined for a missing field. Throws if the parent object or the item is missing. */
  get(path: readonly string[]): Part {
    const last = lastOf(path);
    const parent = this.#parent(path);
    return this.#numbers.partOf(parent, Array.isArray(parent) ? existingIndex(last, parent.length) : last);
  }

  *add(path: readonly string[], { value = null, text }: Part): Steps<void> {
    const last = lastOf(path);
    const parent = yield* this.#writable(path.slice(0, -1));
    if (!Array.isArray(parent)) {
      setOwn(parent, last, value);
      this.#numbers.set(parent, last, text);
      return;
    }
    const index = last === '-' ? parent.length : newIndex(last, parent.length);
    this.#spendShift(parent, index);
    parent.splice(index, 0, value);
    this.#numbers.shift(parent, index, 1);
    this.#numbers.set(parent, index, text);
  }

  replaceRoot(value: JsonValue): void {
    if (!isObject(value) && !Array.isArray(value))
      throw patchRejected('replace operation value must be object or array');
    this.#root = value;
  }

  /** Also adds a missing field: upstream checks only list items. */
  *replace(path: readonly string[], { value = null, text }: Part): Steps<void> {
    const last = lastOf(path);
    this.get(path);
    const parent = yield* this.#writable(path.slice(0, -1));
    const place = Array.isArray(parent) ? (arrayIndex(last, parent.length) ?? 0) : last;
    if (Array.isArray(parent)) parent[Number(place)] = value;
    else setOwn(parent, last, value);
    this.#numbers.set(parent, place, text);
  }

  /** Returns the removed value. */
  *remove(path: readonly string[]): Steps<Part> {
    const last = lastOf(path);
    const part = this.get(path);
    if (part.value === undefined) {
      throw new PatchPathError('element', `Unable to remove nonexistent key: ${last}: missing value`);
    }
    const parent = yield* this.#writable(path.slice(0, -1));
    if (!Array.isArray(parent)) {
      delete parent[last];
      this.#numbers.set(parent, last, undefined);
      return part;
    }
    const index = arrayIndex(last, parent.length) ?? 0;
    this.#spendShift(parent, index);
    parent.splice(index, 1);
    this.#numbers.shift(parent, index, -1);
    return part;
  }

  #spendShift(list: JsonValue[], index: number): void {
    this.#budget.spend((list.length - index) / ITEMS_PER_UNIT + (this.#numbers.get(list)?.size ?? 0));
  }

  #parent(path: readonly string[]): Container {
    this.#budget.spend(path.length / FIELDS_PER_UNIT);
    let container: JsonValue | undefined = this.#root;
    for (const token of path.slice(0, -1)) {
      if (Array.isArray(container)) container = container[arrayIndex(token, container.length) ?? -1];
      else container = isObject(container) ? getOwn(container, token) : undefined;
    }
    if (!isObject(container) && !Array.isArray(container)) throw noContainer();
    return container;
  }

  *#writable(path: readonly string[]): Steps<Container> {
    this.#budget.spend(path.length / FIELDS_PER_UNIT);
    let container = yield* this.#copied(this.#root);
    this.#root = container;
    for (const token of path) {
      if (Array.isArray(container)) {
        const index = arrayIndex(token, container.length);
        if (index === undefined) throw noContainer();
        const inner = yield* this.#copied(container[index]);
        container[index] = inner;
        container = inner;
      } else {
        const inner = yield* this.#copied(getOwn(container, token));
        setOwn(container, token, inner);
        container = inner;
      }
    }
    return container;
  }

  #copyOfList(list: readonly JsonValue[]): JsonValue[] {
    this.#budget.spend(list.length / ITEMS_PER_UNIT);
    return list.slice();
  }

  *#copyOfObject(object: JsonObject): Steps<JsonObject> {
    const keys = yield* keysInSteps(object);
    this.#budget.spend(keys.length / FIELDS_PER_UNIT);
    return yield* copyMembersInSteps(object, this.#pace, keys);
  }

  *#copied(value: JsonValue | undefined): Steps<Container> {
    if (!isObject(value) && !Array.isArray(value)) throw noContainer();
    if (this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? this.#copyOfList(value) : yield* this.#copyOfObject(value);
    this.#own.add(copy);
    this.#budget.spend(this.#numbers.get(value)?.size ?? 0);
    this.#numbers.copy(value, copy);
    return copy;
  }
}

/** Without tokens, a path leads to no place in a container. */
function lastOf(path: readonly string[]): string {
  const last = path.at(-1);
  if (last === undefined) throw noContainer();
  return last;
}

const INTEGER = /^[+-]?[0-9]{1,15}$/;

/** An index below `length`, or undefined. */
function arrayIndex(token: string, length: number): number | undefined {
  if (!INTEGER.test(token)) return undefined;
  const index = Number(token);
  if (index >= length || index < -length) return undefined;
  return index < 0 ? index + length : index;
}

function existingIndex(token: string, length: number): number {
  const index = arrayIndex(token, length);
  if (index === undefined) throw new PatchPathError('element', indexProblem(token));
  return index;
}

/** The index at which an item can be inserted. */
function newIndex(token: string, length: number): number {
  const index = arrayIndex(token, length + 1);
  if (index !== undefined) return index;
  const problem = indexProblem(token);
  const prefix = INTEGER.test(token) ? '' : `value was not a proper array index: '${token}': `;
  throw new PatchPathError('element', `${prefix}${problem}`);
}

function indexProblem(token: string): string {
  return INTEGER.test(token)
    ? `Unable to access invalid index: ${Number(token)}: invalid index referenced`
    : `strconv.Atoi: parsing ${quoteGo(token)}: invalid syntax`;
}

function noContainer(): PatchPathError {
  return new PatchPathError('container', 'missing value');
}
