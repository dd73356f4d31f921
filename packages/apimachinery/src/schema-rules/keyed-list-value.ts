import { equal, type ListSource, ListValue, MapValue, type Value } from '../cel/index.js';
import { escapeFieldName } from './field-names.js';
import { scalarKey } from './scalar-key.js';
import { sourceOf } from './set-list-value.js';

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
