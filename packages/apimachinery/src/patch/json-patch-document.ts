import { getOwn, isObject, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import { quoteGo } from '../status/index.js';
import type { WorkBudget } from '../work/index.js';
import { PatchPathError, patchRejected } from './errors.js';

type Container = JsonObject | JsonValue[];

/** Moving or copying this many list items costs one visit. */
const ITEMS_PER_UNIT = 128;
/** Copying this many fields of an object, or following this many path tokens, costs one visit. */
const FIELDS_PER_UNIT = 2;

/**
 * A document being patched. Containers are copied on first write, and only once, so the source stays unchanged. Array
 * indexes follow upstream: negative ones count from the end.
 */
export class PatchedDocument {
  #root: JsonValue;
  /** The containers that this document created. Each has only one parent. */
  readonly #own = new WeakSet<Container>();

  readonly #budget: WorkBudget;

  constructor(root: JsonValue, budget: WorkBudget) {
    this.#root = root;
    this.#budget = budget;
  }

  get root(): JsonValue {
    return this.#root;
  }

  /** The value at `path`; undefined for a missing field. Throws if the parent object or the item is missing. */
  get(path: readonly string[]): JsonValue | undefined {
    const last = path.at(-1);
    if (last === undefined) return this.#root;
    const parent = this.#parent(path);
    if (!Array.isArray(parent)) return getOwn(parent, last);
    return parent[existingIndex(last, parent.length)];
  }

  add(path: readonly string[], value: JsonValue): void {
    const last = path.at(-1);
    if (last === undefined) throw patchRejected('nothing can be added in place of the whole document');
    const parent = this.#writable(path.slice(0, -1));
    if (!Array.isArray(parent)) {
      setOwn(parent, last, value);
      return;
    }
    const index = last === '-' ? parent.length : newIndex(last, parent.length);
    this.#budget.spend((parent.length - index) / ITEMS_PER_UNIT);
    parent.splice(index, 0, value);
  }

  /** Also adds a missing field: upstream checks only list items. */
  replace(path: readonly string[], value: JsonValue): void {
    const last = path.at(-1);
    if (last === undefined) {
      if (!isObject(value) && !Array.isArray(value)) throw patchRejected('a document is an object or a list');
      this.#root = value;
      return;
    }
    this.get(path);
    const parent = this.#writable(path.slice(0, -1));
    if (Array.isArray(parent)) parent[arrayIndex(last, parent.length) ?? 0] = value;
    else setOwn(parent, last, value);
  }

  /** Returns the removed value. */
  remove(path: readonly string[]): JsonValue {
    const last = path.at(-1);
    if (last === undefined) throw patchRejected('the whole document cannot be removed');
    const value = this.get(path);
    if (value === undefined) {
      throw new PatchPathError('element', `Unable to remove nonexistent key: ${last}: missing value`);
    }
    const parent = this.#writable(path.slice(0, -1));
    if (!Array.isArray(parent)) {
      delete parent[last];
      return value;
    }
    const index = arrayIndex(last, parent.length) ?? 0;
    this.#budget.spend((parent.length - index) / ITEMS_PER_UNIT);
    parent.splice(index, 1);
    return value;
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

  #writable(path: readonly string[]): Container {
    this.#budget.spend(path.length / FIELDS_PER_UNIT);
    let container = this.#copied(this.#root);
    this.#root = container;
    for (const token of path) {
      if (Array.isArray(container)) {
        const index = arrayIndex(token, container.length);
        if (index === undefined) throw noContainer();
        const inner = this.#copied(container[index]);
        container[index] = inner;
        container = inner;
      } else {
        const inner = this.#copied(getOwn(container, token));
        setOwn(container, token, inner);
        container = inner;
      }
    }
    return container;
  }

  #copied(value: JsonValue | undefined): Container {
    if (!isObject(value) && !Array.isArray(value)) throw noContainer();
    if (this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? value.slice() : { ...value };
    this.#budget.spend(Array.isArray(copy) ? copy.length / ITEMS_PER_UNIT : Object.keys(copy).length / FIELDS_PER_UNIT);
    this.#own.add(copy);
    return copy;
  }
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
