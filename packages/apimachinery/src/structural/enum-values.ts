import { deepEqual, type JsonValue, stringifyJson } from '../json/index.js';
import { valueKey } from './value-key.js';

/** For fewer values a linear search is faster. */
const FEW = 16;

/**
 * The allowed values of a schema. The time of a lookup depends on the size of the value, not on the number of values.
 */
export class EnumValues {
  readonly values: readonly JsonValue[];
  #keys: ReadonlySet<string> | undefined;
  #texts: readonly string[] | undefined;
  #shown: string | undefined;

  constructor(values: readonly JsonValue[]) {
    this.values = values;
  }

  has(value: JsonValue): boolean {
    if (this.values.length <= FEW) return this.values.some((each) => deepEqual(each, value));
    this.#keys ??= new Set(this.values.map(valueKey));
    return this.#keys.has(valueKey(value));
  }

  /** Each value as errors show it. */
  get texts(): readonly string[] {
    this.#texts ??= this.values.map((each) => (typeof each === 'string' ? each : stringifyJson(each)));
    return this.#texts;
  }

  /** All values as errors list them. */
  get shown(): string {
    this.#shown ??= this.texts.join(' ');
    return this.#shown;
  }
}
