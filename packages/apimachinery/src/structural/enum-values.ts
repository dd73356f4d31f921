import { deepEqual, type JsonValue, stringifyJson } from '../json/index.js';
import { valueKey } from './value-key.js';

/** Fewer values are found faster by looking at each. */
const FEW = 16;

/** The values that a schema allows. To look one up takes as long as the value is large, however many there are. */
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
