import { type MapKey, MapValue, type Value } from '../cel/index.js';
import { getOwn, type JsonObject, type JsonValue } from '../json/index.js';
import type { SchemaNode } from '../structural/index.js';
import { escapeFieldName, unescapeFieldName } from './field-names.js';
import type { ReadCount } from './read-count.js';
import { equalJson } from './unknown-value.js';

export interface ObjectFieldsOptions {
  readonly json: Readonly<JsonObject>;
  readonly schema: SchemaNode;
  readonly reads: ReadCount;
  /** Creates the value of a field. */
  readonly valueOf: (json: JsonValue, schema: SchemaNode, reads: ReadCount) => Value;
}

/**
 * An object with fields under their escaped names, or a map with unescaped keys. Fields unknown to the schema are
 * hidden, but count and are compared. A null field is absent; a null entry is not.
 */
export class ObjectFieldsValue extends MapValue {
  readonly #json: Readonly<JsonObject>;
  readonly #schema: SchemaNode;
  readonly #reads: ReadCount;

  constructor({ json, schema, reads, valueOf }: ObjectFieldsOptions) {
    const hasFields = schema.properties.size > 0;
    let keys: readonly string[] | undefined;
    const keysOf = (): readonly string[] => {
      if (keys === undefined) {
        keys = Object.keys(json);
        reads.add(keys.length);
      }
      return keys;
    };
    super({
      get size() {
        return keysOf().length;
      },
      get(key: MapKey) {
        const name = typeof key !== 'string' ? undefined : hasFields ? unescapeFieldName(key) : key;
        if (name === undefined) return undefined;
        const value = getOwn(json, name);
        if (value === undefined || (hasFields && value === null)) return undefined;
        const below = schemaOf(schema, name);
        return below && valueOf(value, below, reads);
      },
      *keys() {
        for (const key of keysOf()) {
          if (schemaOf(schema, key) !== undefined) yield hasFields ? (escapeFieldName(key) ?? key) : key;
        }
      },
    });
    this.#json = json;
    this.#schema = schema;
    this.#reads = reads;
  }

  /** Undefined, unless there are unknown fields, which can only be compared as JSON. */
  override equals(other: MapValue): boolean | undefined {
    if (!(other instanceof ObjectFieldsValue)) return undefined;
    const { size } = this;
    if (size !== other.size) return false;
    for (const key of Object.keys(this.#json)) {
      if (schemaOf(this.#schema, key) !== undefined) continue;
      const left = getOwn(this.#json, key) ?? null;
      const right = getOwn(other.#json, key);
      if (right !== undefined && !equalJson(left, right, this.#reads)) return false;
    }
    return undefined;
  }
}

function schemaOf({ properties, additionalProperties }: SchemaNode, key: string): SchemaNode | undefined {
  if (properties.size > 0) return properties.get(key);
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
