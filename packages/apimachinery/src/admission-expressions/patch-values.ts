import {
  Duration,
  formatDurationSeconds,
  formatTimestamp,
  ListValue,
  MapValue,
  MessageValue,
  OptionalValue,
  Timestamp,
  typeNameOf,
  UnsignedInteger,
  type Value,
} from '../cel/index.js';
import { isObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH, setOwn } from '../json/index.js';

/** The value of an expression is not a patch. The message has upstream's words. */
export class PatchValueError extends Error {}

/** The most values in one patch: a list that repeats shared lists expands to far more values than fit in memory. */
const MOST_VALUES = 200_000;
/** The most characters in one patch: three times the largest request. */
const MOST_CHARACTERS = 9 * 1024 * 1024;

/** The most wrongly named types that an error lists. */
const MOST_PROBLEMS = 100;

/** The apply configuration that an `Object{}` value describes, as JSON. Throws {@link PatchValueError}. */
export function applyConfigurationOf(value: Value): JsonObject {
  if (!(value instanceof MessageValue)) {
    throw new PatchValueError('unsupported return type from ApplyConfiguration expression');
  }
  const document = new Converter('apply').convert(value);
  return isObject(document) ? document : {};
}

/** The operations of a list of `JSONPatch{}`. Throws {@link PatchValueError}. */
export function jsonPatchOf(value: Value): JsonObject[] {
  const converter = new Converter('patch');
  if (value instanceof ListValue && value.size > MOST_VALUES) throw tooLarge();
  return Array.from(value instanceof ListValue ? value : [], (item) => {
    if (item instanceof MessageValue) return operation(item, converter);
    throw new PatchValueError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
  });
}

function operation(item: MessageValue, converter: Converter): JsonObject {
  const text = (field: string): string => {
    const given = item.get(field) ?? '';
    if (typeof given === 'string') return given;
    throw new PatchValueError(`unexpected type for JSONPatchType '${field}' field`);
  };
  const source = text('from');
  const value = item.get('value');
  return {
    op: text('op'),
    path: text('path'),
    ...(source === '' ? {} : { from: source }),
    ...(value === undefined ? {} : { value: converter.convert(value) }),
  };
}

/**
 * Converts the values of one patch to JSON, and bounds how much they hold together. The type of an object must be named
 * after its place: `Object.spec` for the field `spec` of an `Object`. Lists and maps have no name.
 */
class Converter {
  readonly #form: 'apply' | 'patch';
  readonly #misnamed: string[] = [];
  #values = 0;
  #characters = 0;

  /** An apply configuration holds Go's values: nanoseconds for a duration, and nil for an empty optional. */
  constructor(form: 'apply' | 'patch') {
    this.#form = form;
  }

  /** Throws {@link PatchValueError} for types with the wrong name. */
  convert(root: Value): JsonValue {
    const json = this.#value(root, root instanceof MessageValue ? root.typeName : undefined, 0);
    if (this.#misnamed.length > 0) throw new PatchValueError(`type mismatch: ${this.#misnamed.join('\n')}`);
    return json;
  }

  /** `place`: the name of the type that belongs here; undefined below a value without one. */
  #value(value: Value, place: string | undefined, depth: number): JsonValue {
    if (depth > MAX_JSON_DEPTH || ++this.#values > MOST_VALUES) throw tooLarge();
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof ListValue) return Array.from(value, (item) => this.#value(item, place, depth + 1));
    if (value instanceof MapValue) return this.#map(value, place, depth);
    if (value instanceof MessageValue) return this.#message(value, place, depth);
    if (value instanceof UnsignedInteger) return this.#value(value.value, place, depth);
    if (value instanceof Timestamp) return formatTimestamp(value);
    if (value instanceof Duration) {
      return this.#form === 'patch' ? formatDurationSeconds(value) : Number(value.nanoseconds);
    }
    if (value instanceof Uint8Array) return this.#text(Buffer.from(value).toString('base64'));
    if (!(value instanceof OptionalValue)) throw notJson();
    if (value.value !== undefined) return this.#value(value.value, place, depth + 1);
    if (this.#form === 'apply') return null;
    throw notJson(': optional.none() dereference');
  }

  #message(value: MessageValue, place: string | undefined, depth: number): JsonObject {
    const { typeName } = value;
    if (place !== undefined && typeName !== place && this.#misnamed.length < MOST_PROBLEMS) {
      const problem = `unexpected type name "${typeName}", expected "${place}"`;
      this.#misnamed.push(`${problem}, which matches field name path from root Object type`);
    }
    const object: JsonObject = {};
    for (const field of value.fields()) {
      const below = place === undefined ? undefined : `${place}.${field}`;
      setOwn(object, field, this.#value(value.get(field) ?? null, below, depth + 1));
    }
    return object;
  }

  #map(map: MapValue, place: string | undefined, depth: number): JsonObject {
    const object: JsonObject = {};
    for (const key of map.keys()) {
      if (typeof key !== 'string') throw new PatchValueError(`a map key is of type ${typeNameOf(key)}, not string`);
      setOwn(object, this.#text(key), this.#value(map.get(key) ?? null, place, depth + 1));
    }
    return object;
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS) throw tooLarge();
    return text;
  }
}

function notJson(why = ''): PatchValueError {
  return new PatchValueError(`JSONPath valueExpression evaluated to a type that could not marshal to JSON${why}`);
}

function tooLarge(): PatchValueError {
  return new PatchValueError('the patch is too large');
}
