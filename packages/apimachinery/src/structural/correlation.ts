import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import type { SchemaNode } from './schema-node.js';
import { valueKey } from './value-key.js';

/**
 * A value and what stood in its place before: errors of what has not changed are let pass on updates. Items of lists are
 * correlated by the keys of the list alone. Upstream: apiserver `pkg/cel/common/equality.go`.
 */
export class Correlation {
  readonly #schema: SchemaNode;
  readonly #value: JsonValue;
  readonly #old: JsonValue;
  #equal: boolean | undefined;
  #oldItems: ReadonlyMap<string, JsonObject> | undefined;
  readonly #children = new Map<string | number, Correlation>();

  constructor(schema: SchemaNode, value: JsonValue, old: JsonValue) {
    this.#schema = schema;
    this.#value = value;
    this.#old = old;
  }

  /** The same for a field; undefined when there was none before. */
  key(name: string): Correlation | undefined {
    if (!isObject(this.#value) || !isObject(this.#old)) return undefined;
    const value = getOwn(this.#value, name);
    const old = getOwn(this.#old, name);
    const { properties, additionalProperties } = this.#schema;
    const schema =
      properties.get(name) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (value === undefined || old === undefined || schema === undefined) return undefined;
    return this.#child(name, schema, value, old);
  }

  /** The same for an item; undefined when there was none with its keys. */
  index(index: number): Correlation | undefined {
    const { lists, items } = this.#schema;
    if (lists?.type !== 'map' || items === undefined || !Array.isArray(this.#value)) return undefined;
    const value = this.#value[index];
    if (!isObject(value)) return undefined;
    this.#oldItems ??= itemsByKey(this.#old, lists.mapKeys);
    const old = this.#oldItems.get(keyOf(value, lists.mapKeys));
    return old === undefined ? undefined : this.#child(index, items, value, old);
  }

  /** Whether nothing has changed; the order of items of keyed lists does not matter. */
  get equal(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  #child(step: string | number, schema: SchemaNode, value: JsonValue, old: JsonValue): Correlation {
    let child = this.#children.get(step);
    if (child === undefined) {
      child = new Correlation(schema, value, old);
      this.#children.set(step, child);
    }
    return child;
  }

  #compare(): boolean {
    const value = this.#value;
    if (this.#schema.lists?.type !== 'map' || !Array.isArray(value) || !Array.isArray(this.#old)) {
      return deepEqual(value, this.#old);
    }
    return value.length === this.#old.length && value.every((_, index) => this.index(index)?.equal === true);
  }
}

function itemsByKey(list: JsonValue, keys: readonly string[]): ReadonlyMap<string, JsonObject> {
  const items = new Map<string, JsonObject>();
  if (!Array.isArray(list)) return items;
  for (const item of list) {
    if (!isObject(item)) continue;
    const key = keyOf(item, keys);
    if (!items.has(key)) items.set(key, item);
  }
  return items;
}

function keyOf(item: JsonObject, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => valueKey(getOwn(item, key))));
}
