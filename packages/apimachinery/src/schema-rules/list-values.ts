import {
  Duration,
  equal,
  EvaluationError,
  type ListSource,
  ListValue,
  MapValue,
  Timestamp,
  typeNameOf,
  type Value,
} from '../cel/index.js';
import { escapeFieldName } from './field-names.js';

/** A list of `x-kubernetes-list-type: set`. Equality ignores order. `+` adds missing items. */
export class SetListValue extends ListValue {
  #members: ReadonlySet<string> | undefined;

  override equals(other: ListValue): boolean {
    if (this.size !== other.size) return false;
    const members = this.#keys();
    const seen = new Set<string>();
    for (const item of other) {
      const key = memberKey(item);
      if (!members.has(key)) return false;
      seen.add(key);
    }
    return seen.size === members.size;
  }

  override concat(other: ListValue): ListValue {
    const members = new Set(this.#keys());
    const items = [...this];
    for (const item of other) {
      const key = memberKey(item);
      if (members.has(key)) continue;
      members.add(key);
      items.push(item);
    }
    return new SetListValue(sourceOf(items));
  }

  #keys(): ReadonlySet<string> {
    this.#members ??= new Set(Array.from(this, memberKey));
    return this.#members;
  }
}

function sourceOf(items: readonly Value[]): ListSource {
  return { size: items.length, at: (index) => items[index] ?? null };
}

function memberKey(item: Value): string {
  if (item instanceof ListValue || item instanceof MapValue) {
    throw new EvaluationError('listSet operations are only supported on lists of scalar values');
  }
  return scalarKey(item);
}

/** A string that two scalars share only if they are equal. All other values have the same one. */
function scalarKey(value: Value | undefined): string {
  if (value === undefined) return '';
  return `${typeNameOf(value)} ${contentOf(value)}`;
}

function contentOf(value: Value): string {
  if (value instanceof Timestamp || value instanceof Duration) return String(value.nanoseconds);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'object' ? '' : String(value);
}

/**
 * A list of `x-kubernetes-list-type: map`. Equality ignores order. `+` replaces items with the same keys and appends
 * the others.
 */
export class KeyedListValue extends ListValue {
  readonly #mapKeys: readonly string[];
  #byKey: ReadonlyMap<string, Value> | undefined;

  constructor(source: ListSource, mapKeys: readonly string[]) {
    super(source);
    this.#mapKeys = mapKeys;
  }

  override equals(other: ListValue): boolean {
    if (this.size !== other.size) return false;
    this.#byKey ??= new Map(Array.from(this, (item) => [this.#keyOf(item), item]));
    const seen = new Set<string>();
    for (const item of other) {
      const key = this.#keyOf(item);
      const counterpart = this.#byKey.get(key);
      if (counterpart === undefined || !equal(counterpart, item)) return false;
      seen.add(key);
    }
    return seen.size === this.#byKey.size;
  }

  override concat(other: ListValue): ListValue {
    const items = [...this];
    const places = new Map(items.map((item, index) => [this.#keyOf(item), index]));
    for (const item of other) {
      const place = places.get(this.#keyOf(item));
      if (place === undefined) items.push(item);
      else items[place] = item;
    }
    return new KeyedListValue(sourceOf(items), this.#mapKeys);
  }

  #keyOf(item: Value): string {
    const keys = this.#mapKeys.map((name) =>
      item instanceof MapValue ? scalarKey(item.get(escapeFieldName(name) ?? name)) : '',
    );
    return JSON.stringify(keys);
  }
}
