import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import type { SchemaNode } from './schema-node.js';
import { valueKey } from './value-key.js';

/**
 * Correlates a value with its old value, for ratcheting: errors of unchanged values are ignored on updates. List items
 * are correlated only by the keys of the list. Upstream: apiserver `pkg/cel/common/equality.go`.
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

  /** The correlation of a field; undefined unless both values have the field and the schema knows it. */
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

  /** The correlation of an item; undefined if no old item has its keys. */
  index(index: number): Correlation | undefined {
    const { lists, items } = this.#schema;
    if (lists?.type !== 'map' || items === undefined || !Array.isArray(this.#value)) return undefined;
    const value = this.#value[index];
    if (!isObject(value)) return undefined;
    this.#oldItems ??= itemsByKey(this.#old, lists.mapKeys);
    const old = this.#oldItems.get(keyOf(value, lists.mapKeys) ?? '');
    return old === undefined ? undefined : this.#child(index, items, value, old);
  }

  /** Whether nothing has changed. The order of keyed lists does not matter. */
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

  /** Values without a schema cannot be correlated and count as changed. */
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

/** The items of a keyed list by `keyOf`; the first one of equal keys. */
export function itemsByKey(list: JsonValue, keys: readonly string[]): ReadonlyMap<string, JsonObject> {
  const items = new Map<string, JsonObject>();
  if (!Array.isArray(list)) return items;
  for (const item of list) {
    const key = isObject(item) ? keyOf(item, keys) : undefined;
    if (key !== undefined && isObject(item) && !items.has(key)) items.set(key, item);
  }
  return items;
}

/** A string that is equal for items with equal keys; undefined if a key is missing or not a scalar. */
export function keyOf(item: JsonObject, keys: readonly string[]): string | undefined {
  const parts: string[] = [];
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value === undefined || typeof value === 'object') return undefined;
    parts.push(valueKey(value));
  }
  return JSON.stringify(parts);
}
