import { ListValue, type MapKey, MapValue, type Value } from '../cel/index.js';
import { getOwn, type JsonObject, type JsonValue, sortedKeys } from '../json/index.js';

/**
 * Converts JSON documents to values for expressions, each part when it is first read. The documents must not change
 * while the values are in use.
 */
export class JsonValues {
  /** A list or object has one value, which lists its keys once however often it is read. */
  readonly #known = new Map<object, Value>();

  valueOf(json: JsonValue): Value {
    if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
    if (typeof json !== 'object' || json === null) return json;
    let value = this.#known.get(json);
    if (value === undefined) {
      value = Array.isArray(json) ? this.#list(json) : this.#object(json);
      this.#known.set(json, value);
    }
    return value;
  }

  #list(json: readonly JsonValue[]): ListValue {
    return new ListValue({ size: json.length, at: (index) => this.valueOf(json[index] ?? null) });
  }

  #object(json: Readonly<JsonObject>): MapValue {
    let keys: readonly string[] | undefined;
    const isPresent = (key: string): boolean => json[key] !== undefined;
    const keysOf = (): readonly string[] => (keys ??= sortedKeys(json).filter(isPresent));
    // Most expressions that read the size do not read the keys, which are sorted.
    let size: number | undefined;
    return new MapValue({
      get size() {
        return (size ??= Object.keys(json).filter(isPresent).length);
      },
      get: (key: MapKey) => {
        const found = typeof key === 'string' ? getOwn(json, key) : undefined;
        return found === undefined ? undefined : this.valueOf(found);
      },
      keys: keysOf,
    });
  }
}
