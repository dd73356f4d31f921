import { ListValue, type MapKey, MapValue, type Value } from '../cel/index.js';
import { getOwn, type JsonObject, type JsonValue, sortedTextsInSteps, sortUtf8 } from '../json/index.js';
import type { Steps } from '../work/index.js';

/** Ordering more keys takes milliseconds. */
const LARGE_MAP = 10_000;

export interface JsonValuesOptions {
  /** Whether all numbers are `double`. Otherwise whole ones are `int`. */
  readonly numbersAreDoubles?: boolean;
  /** The name of the field that an expression reads by this name. Default: the same. */
  readonly fieldName?: (name: string) => string;
}

/**
 * Converts JSON documents to values for expressions, each part when it is first read. The documents must not change
 * while the values are in use.
 */
export class JsonValues {
  /** A list or object has one value, which lists its keys once however often it is read. */
  readonly #known = new Map<object, Value>();
  readonly #options: JsonValuesOptions;

  constructor(options: JsonValuesOptions = {}) {
    this.#options = options;
  }

  valueOf(json: JsonValue): Value {
    if (this.#options.numbersAreDoubles === true && (typeof json === 'number' || typeof json === 'bigint')) {
      return Number(json);
    }
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
    let names: readonly string[] | undefined;
    let sorted: readonly string[] | undefined;
    const namesOf = (): readonly string[] => (names ??= Object.keys(json).filter((key) => json[key] !== undefined));
    const { fieldName = (name: string) => name } = this.#options;
    const keysOf = (): readonly string[] => (sorted ??= sortUtf8([...namesOf()]));
    const sort = function* (): Steps<readonly string[]> {
      return (sorted ??= yield* sortedTextsInSteps(namesOf()));
    };
    return new MapValue({
      get size() {
        return namesOf().length;
      },
      get: (key: MapKey) => {
        const found = typeof key === 'string' ? getOwn(json, fieldName(key)) : undefined;
        return found === undefined ? undefined : this.valueOf(found);
      },
      keys: keysOf,
      unorderedKeys: namesOf,
      keysInSteps: () => (sorted === undefined && namesOf().length > LARGE_MAP ? sort() : undefined),
    });
  }
}
