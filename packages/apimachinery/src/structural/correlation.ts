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
    const old = this.#oldItems.get(keyOf(value, lists.mapKeys) ?? '');
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

  /** What the schema does not know cannot be correlated, and counts as changed. */
  #compare(): boolean {
    const value = this.#value;
    const old = this.#old;
    if (isObject(value) && isObject(old)) {
      const keys = Object.keys(value);
      return keys.length === Object.keys(old).length && keys.every((key) => this.key(key)?.equal === true);
    }
    if (this.#schema.lists?.type !== 'map' || !Array.isArray(value) || !Array.isArray(old))
      return deepEqual(value, old);
    return value.length === old.length && value.every((_, index) => this.index(index)?.equal === true);
  }
}

/** The items of a keyed list under what `keyOf` gives, the first of those that have the same keys. */
export function itemsByKey(list: JsonValue, keys: readonly string[]): ReadonlyMap<string, JsonObject> {
  const items = new Map<string, JsonObject>();
  if (!Array.isArray(list)) return items;
  for (const item of list) {
    const key = isObject(item) ? keyOf(item, keys) : undefined;
    if (key !== undefined && isObject(item) && !items.has(key)) items.set(key, item);
  }
  return items;
}

/** A text that is the same for items with the same keys; undefined where one is missing or is no scalar. */
export function keyOf(item: JsonObject, keys: readonly string[]): string | undefined {
  const parts: string[] = [];
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value === undefined || typeof value === 'object') return undefined;
    parts.push(valueKey(value));
  }
  return JSON.stringify(parts);
}
