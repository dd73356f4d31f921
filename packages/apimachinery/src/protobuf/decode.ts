import { getOwn, isObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH, setOwn } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { DecodeError } from '../serializer/index.js';
import { Pace, type Steps } from '../work/index.js';
import { readJsonText } from './json-text.js';
import { type MessagePlan, messagePlan, type ValueField, type ValuePlan } from './plan.js';
import { joinParts, type SpecialForm } from './special.js';
import { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';
import { addZeros, keepUnlessZero, zeroOf } from './zero-values.js';

export interface DecodeProtobufOptions {
  /**
   * Set the zero values that `encodeTyped` writes, so that the result equals the object as decoded from that JSON.
   * Default: false.
   */
  readonly showZeros?: boolean;
  /**
   * Decode a time beyond the years of RFC 3339 to the nearest one within them, so that what another server has stored
   * stays readable. Default: it is an error.
   */
  readonly clampsTimes?: boolean;
}

/**
 * Decodes the message of an object, without its envelope, to the object that `decodeTyped` decodes from the equivalent
 * JSON. A message does not contain kind and apiVersion; the caller adds them. Unknown fields are dropped, like upstream
 * does.
 *
 * The caller owns the result, which shares nothing with `bytes`. Throws `DecodeError`, with the messages of Go's
 * generated decoders.
 */
export function decodeProtobuf(
  bytes: Uint8Array,
  schema: StructSchema,
  options: DecodeProtobufOptions = {},
): JsonObject {
  return new MessageDecoder(new WireReader(bytes), options).object(messagePlan(schema));
}

/** {@link decodeProtobuf} in steps, for messages that may be large. */
export function decodeProtobufInSteps(bytes: Uint8Array, schema: StructSchema): Steps<JsonObject> {
  return new MessageDecoder(new WireReader(bytes), {}).objectInSteps(messagePlan(schema));
}

/** Messages from this length on are decoded in steps; a shorter one takes less than a millisecond. */
const LONG_BYTES = 16 * 1024;
/** This many short fields, which no step divides, take a few milliseconds. */
const FIELDS_PER_STEP = 1000;

class MessageDecoder {
  readonly #reader: WireReader;
  readonly #pace = new Pace(FIELDS_PER_STEP);
  readonly #showZeros: boolean;
  readonly #clampsTimes: boolean;
  /** Above zero inside JSON schemas, whose keys must already be in the order in which Go writes them. */
  #schemaDepth = 0;

  constructor(reader: WireReader, { showZeros = false, clampsTimes = false }: DecodeProtobufOptions) {
    this.#reader = reader;
    this.#showZeros = showZeros;
    this.#clampsTimes = clampsTimes;
  }

  /** Reads an object up to the end of the reader. */
  object(plan: MessagePlan): JsonObject {
    const object: JsonObject = {};
    this.#fields(plan, object, 1);
    return this.#whole(object, plan);
  }

  /** {@link object} in steps. */
  *objectInSteps(plan: MessagePlan): Steps<JsonObject> {
    const object: JsonObject = {};
    yield* this.#fieldsInSteps(plan, object, 1);
    return this.#whole(object, plan);
  }

  /**
   * Reads fields into `object` up to the reader's limit. `depth` counts the containers that JSON nests, and the unions
   * around JSON schemas.
   */
  #fields(plan: MessagePlan, object: JsonObject, depth: number): void {
    if (depth > MAX_JSON_DEPTH) throw new DecodeError('exceeded max depth');
    const reader = this.#reader;
    while (!reader.atEnd) {
      reader.tag(plan.name);
      const field = plan.byNumber[reader.number];
      if (field === undefined) {
        reader.skip();
      } else if (field.within !== undefined) {
        reader.expect(DELIMITED, field.goName);
        const outer = reader.enter();
        this.#fields(field.within, object, depth);
        reader.leave(outer);
      } else {
        this.#field(field, object, depth);
      }
    }
  }

  /** {@link #fields} in steps, with long messages among the fields divided. */
  *#fieldsInSteps(plan: MessagePlan, object: JsonObject, depth: number): Steps<void> {
    if (depth > MAX_JSON_DEPTH) throw new DecodeError('exceeded max depth');
    const reader = this.#reader;
    while (!reader.atEnd) {
      if (this.#pace.endsStep()) yield;
      reader.tag(plan.name);
      const field = plan.byNumber[reader.number];
      if (field === undefined) {
        reader.skip();
      } else if (field.within !== undefined) {
        reader.expect(DELIMITED, field.goName);
        const outer = reader.enter();
        yield* this.#fieldsInSteps(field.within, object, depth);
        reader.leave(outer);
      } else if (reader.wireType === DELIMITED && reader.nextLength() >= LONG_BYTES) {
        yield* this.#longField(field, object, depth);
      } else {
        this.#field(field, object, depth);
      }
    }
  }

  /** {@link #field} in steps, for a long field. */
  *#longField(field: ValueField, object: JsonObject, depth: number): Steps<void> {
    const { value: plan, name } = field;
    const held = getOwn(object, name);
    if (plan.form === 'struct') {
      const struct = yield* this.#messageInSteps(plan.message, depth + 1, isObject(held) ? held : undefined);
      if (keepUnlessZero(object, field, struct)) setOwn(object, name, this.#whole(struct, plan.message));
    } else if (plan.form === 'list' && plan.itemTag === 0 && plan.items.wireType === DELIMITED) {
      const list = Array.isArray(held) ? held : [];
      list.push((yield* this.#valueInSteps(plan.items, depth + 2)) ?? null);
      if (list !== held) setOwn(object, name, list);
    } else if (plan.form === 'map') {
      const map = isObject(held) ? held : {};
      yield* this.#entryInSteps(map, plan, depth + 1);
      if (map !== held) setOwn(object, name, map);
    } else if (plan.holdsSchema) {
      keepUnlessZero(object, field, yield* this.#valueInSteps(plan, depth + 1));
    } else {
      this.#field(field, object, depth);
    }
  }

  #field(field: ValueField, object: JsonObject, depth: number): void {
    const { value: plan, name } = field;
    if (plan.form === 'list') {
      const held = getOwn(object, name);
      const list = Array.isArray(held) ? held : [];
      this.#items(list, plan, field.goName, depth + 1);
      if (list.length > 0 && list !== held) setOwn(object, name, list);
      return;
    }
    this.#reader.expect(plan.wireType, field.goName);
    if (plan.form === 'map') {
      const held = getOwn(object, name);
      const map = isObject(held) ? held : {};
      this.#entry(map, plan, depth + 1);
      if (map !== held) setOwn(object, name, map);
      return;
    }
    if (plan.form !== 'struct') {
      keepUnlessZero(object, field, this.#value(plan, depth + 1));
      return;
    }
    // Merges a message that comes in several parts, as Go does.
    const held = getOwn(object, name);
    const struct = this.#message(plan.message, depth + 1, isObject(held) ? held : undefined);
    if (keepUnlessZero(object, field, struct)) setOwn(object, name, this.#whole(struct, plan.message));
  }

  /** Reads the items behind one tag: one, or several if they are packed or wrapped in a message. */
  #items(list: JsonValue[], plan: ValuePlan, goName: string, depth: number): void {
    const reader = this.#reader;
    if (plan.itemTag !== 0) {
      reader.expect(DELIMITED, goName);
      this.#wrapped(list, plan, depth);
    } else if (reader.wireType === DELIMITED && plan.wireType !== DELIMITED) {
      const outer = reader.enter();
      while (!reader.atEnd) list.push(this.#value(plan.items, depth + 1) ?? null);
      reader.leave(outer);
    } else {
      reader.expect(plan.wireType, goName);
      list.push(this.#value(plan.items, depth + 1) ?? null);
    }
  }

  #wrapped(list: JsonValue[], plan: ValuePlan, depth: number): void {
    const reader = this.#reader;
    const outer = reader.enter();
    while (!reader.atEnd) {
      reader.tag('Items');
      if (reader.number === 1) {
        reader.expect(plan.items.wireType, 'Items');
        list.push(this.#value(plan.items, depth + 1) ?? null);
      } else {
        reader.skip();
      }
    }
    reader.leave(outer);
  }

  /** Upstream ignores the wire types of keys and values. */
  #entry(map: JsonObject, plan: ValuePlan, depth: number): void {
    const reader = this.#reader;
    const outer = reader.enter();
    let key = '';
    let value: JsonValue | undefined;
    while (!reader.atEnd) {
      reader.entryTag();
      if (reader.number === 1) {
        key = reader.string();
      } else if (reader.number === 2) {
        value = this.#value(plan.items, depth + 1) ?? null;
      } else {
        reader.skip();
      }
    }
    reader.leave(outer);
    setOwn(map, key, value === undefined ? zeroOf(plan.items) : value);
  }

  /** {@link #entry} in steps. */
  *#entryInSteps(map: JsonObject, plan: ValuePlan, depth: number): Steps<void> {
    const reader = this.#reader;
    const outer = reader.enter();
    let key = '';
    let value: JsonValue | undefined;
    while (!reader.atEnd) {
      reader.entryTag();
      if (reader.number === 1) {
        key = reader.string();
      } else if (reader.number === 2) {
        value = (yield* this.#valueInSteps(plan.items, depth + 1)) ?? null;
      } else {
        reader.skip();
      }
    }
    reader.leave(outer);
    setOwn(map, key, value === undefined ? zeroOf(plan.items) : value);
  }

  /** {@link #value} in steps. Only structs and schemas are divided. */
  *#valueInSteps(plan: ValuePlan, depth: number): Steps<JsonValue | undefined> {
    switch (plan.form) {
      case 'struct':
        return this.#whole(yield* this.#messageInSteps(plan.message, depth), plan.message);
      case 'schemaOrBoolean':
      case 'schemaOrList':
      case 'schemaOrStrings': {
        this.#schemaDepth++;
        const parts = yield* this.#messageInSteps(plan.message, depth);
        this.#schemaDepth--;
        return joinParts(plan.form, parts, this.#clampsTimes);
      }
      default:
        return this.#value(plan, depth);
    }
  }

  /** Reads one value inside a container of `depth`. Undefined for Go's nil. */
  #value(plan: ValuePlan, depth: number): JsonValue | undefined {
    const reader = this.#reader;
    switch (plan.form) {
      case 'string':
        return reader.string();
      case 'boolean':
        return reader.boolean();
      case 'int32':
        return reader.int32();
      case 'int64':
        return reader.int64();
      case 'double':
        return finite(reader.double());
      case 'bytes':
        return reader.bytes().toString('base64');
      case 'struct':
        return this.#whole(this.#message(plan.message, depth), plan.message);
      case 'json': {
        const outer = reader.enter();
        const value = readJsonText(reader, depth - 1);
        reader.leave(outer);
        return value;
      }
      case 'list': {
        const list: JsonValue[] = [];
        this.#wrapped(list, plan, depth);
        return list.length > 0 ? list : undefined;
      }
      case 'map':
        throw new TypeError('protobuf has no map within a map or a list');
      default:
        return this.#special(plan.form, plan, depth);
    }
  }

  #message(plan: MessagePlan, depth: number, into: JsonObject = {}): JsonObject {
    const outer = this.#reader.enter();
    this.#fields(plan, into, depth);
    this.#reader.leave(outer);
    return into;
  }

  *#messageInSteps(plan: MessagePlan, depth: number, into: JsonObject = {}): Steps<JsonObject> {
    const outer = this.#reader.enter();
    yield* this.#fieldsInSteps(plan, into, depth);
    this.#reader.leave(outer);
    return into;
  }

  /** Completes a struct whose fields have all been read. */
  #whole(object: JsonObject, plan: MessagePlan): JsonObject {
    if (this.#schemaDepth > 0) return inOrder(object, plan.names);
    if (this.#showZeros) addZeros(object, plan);
    return object;
  }

  #special(form: SpecialForm, plan: ValuePlan, depth: number): JsonValue | undefined {
    if (!plan.holdsSchema) return joinParts(form, this.#message(plan.message, depth), this.#clampsTimes);
    this.#schemaDepth++;
    const value = joinParts(form, this.#message(plan.message, depth), this.#clampsTimes);
    this.#schemaDepth--;
    return value;
  }
}

/** JSON has only finite numbers. */
function finite(value: number): number {
  if (!Number.isFinite(value)) throw new DecodeError(`json: unsupported value: ${value}`);
  return value;
}

/** Reorders the keys to the order of `names`, in which Go writes the struct. */
function inOrder(object: JsonObject, names: readonly string[]): JsonObject {
  const ordered: JsonObject = {};
  for (const name of names) {
    const value = getOwn(object, name);
    if (value !== undefined) setOwn(ordered, name, value);
  }
  return ordered;
}
