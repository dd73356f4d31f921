import { DecodeError } from '../serializer/index.js';
import { parseDuration, parseMicroTimestamp, parseTimestamp } from '../time/index.js';
import { type JsonIndex, KEY_BEGIN, KEY_END, LIST, NOTHING, PREVIOUS, STRUCT, VALUE } from './json-index.js';
import type { MessagePlan, ValueField, ValuePlan } from './plan.js';
import { DELIMITED, tagOf, VARINT } from './wire-type.js';
import type { WireWriter } from './wire-writer.js';

const FIRST = tagOf(1, DELIMITED);
const SECOND = tagOf(2, DELIMITED);
const THIRD = tagOf(3, DELIMITED);
const FIRST_NUMBER = tagOf(1, VARINT);
const SECOND_NUMBER = tagOf(2, VARINT);

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const LETTER_F = 0x66;
const LETTER_T = 0x74;
/** An integer with a text of this length may be unsafe as a double. */
const LONG_INTEGER = 16;
const integer = /^-?[0-9]+$/;

/** Writes the message of an indexed document. `first` and `second` are the two integers of a value in the index. */
export class MessageEncoder {
  readonly #index: JsonIndex;
  readonly #json: Buffer;
  readonly #integers: Int32Array;
  readonly #writer: WireWriter;

  /** Encodes the document that the index currently holds. */
  constructor(index: JsonIndex, writer: WireWriter) {
    this.#index = index;
    this.#json = index.json;
    this.#integers = index.integers;
    this.#writer = writer;
  }

  /** Starts with the last field, because the writer writes backwards. A frame that is not positive has no fields. */
  fields({ fields }: MessagePlan, frame: number): void {
    const writer = this.#writer;
    for (let position = fields.length - 1; position >= 0; position--) {
      const field = fields[position];
      if (field === undefined) continue;
      if (field.within === undefined) {
        const slot = frame + field.position * VALUE;
        const first = frame > NOTHING ? this.#at(slot) : NOTHING;
        if (first !== NOTHING) this.#field(field, first, this.#at(slot + 1));
        else if (field.always) writer.bytes((field.zero ??= this.#zeroOf(field)));
      } else {
        const { size } = writer;
        this.fields(field.within, frame);
        writer.lengthSince(size);
        writer.varint(field.tag);
      }
    }
  }

  #zeroOf(field: ValueField): Uint8Array {
    const { size } = this.#writer;
    this.#field(field, NOTHING, NOTHING);
    return this.#writer.takeSince(size);
  }

  #field({ value: plan, tag }: ValueField, first: number, second: number): void {
    if (plan.form === 'map') {
      this.#entries(plan, first, tag);
    } else if (plan.form === 'list' && plan.itemTag === 0) {
      this.#items(plan.items, first, tag);
    } else {
      this.#value(plan, first, second);
      this.#writer.varint(tag);
    }
  }

  #items(items: ValuePlan, last: number, tag: number): void {
    for (let entry = last; entry > NOTHING; entry = this.#at(entry + PREVIOUS)) {
      this.#value(items, this.#at(entry), this.#at(entry + 1));
      this.#writer.varint(tag);
    }
  }

  #entries({ items: values, itemTag }: ValuePlan, last: number, tag: number): void {
    const writer = this.#writer;
    for (let entry = last; entry > NOTHING; entry = this.#at(entry + PREVIOUS)) {
      const { size } = writer;
      const first = this.#at(entry);
      if (first !== NOTHING || values.form !== 'bytes') {
        this.#value(values, first, this.#at(entry + 1));
        writer.varint(itemTag);
      }
      this.#string(this.#at(entry + KEY_BEGIN), this.#at(entry + KEY_END));
      writer.varint(FIRST);
      writer.lengthSince(size);
      writer.varint(tag);
    }
  }

  /** Includes the length, if the form has one. */
  #value(plan: ValuePlan, first: number, second: number): void {
    const writer = this.#writer;
    switch (plan.form) {
      case 'string':
        this.#string(first, second);
        return;
      case 'boolean':
        writer.varint(this.#boolean(first) ? 1 : 0);
        return;
      case 'int32':
      case 'int64':
        this.#integer(first, second);
        return;
      case 'double':
        writer.double(first === NOTHING ? 0 : this.#number(first, second));
        return;
      case 'bytes': {
        const bytes = Buffer.from(first === NOTHING ? '' : this.#index.text(first, second), 'base64');
        writer.bytes(bytes);
        writer.varint(bytes.length);
        return;
      }
      case 'map':
        throw new TypeError('protobuf has no map within a map or a list');
      case 'struct': {
        const { size } = writer;
        this.fields(plan.message, first);
        writer.lengthSince(size);
        return;
      }
      case 'schemaOrBoolean':
      case 'schemaOrList':
      case 'schemaOrStrings': {
        const { size } = writer;
        this.#schemaUnion(plan, first, second);
        writer.lengthSince(size);
        return;
      }
      default: {
        const { size } = writer;
        this.#content(plan, first, second);
        writer.lengthSince(size);
      }
    }
  }

  /** A JSON schema or a simpler value, without its length. */
  #schemaUnion(plan: ValuePlan, first: number, second: number): void {
    const writer = this.#writer;
    if (plan.form === 'schemaOrBoolean') {
      if (second === LIST) throw this.#mistyped('a schema or a boolean', first);
      if (second === STRUCT) this.#schema(plan, first, SECOND);
      writer.varint(second === STRUCT || this.#boolean(first) ? 1 : 0);
      writer.varint(FIRST_NUMBER);
    } else if (second === LIST) {
      this.#items(plan.items, first, SECOND);
    } else if (second === STRUCT) {
      this.#schema(plan, first, FIRST);
    } else if (first !== NOTHING) {
      throw this.#mistyped('a schema or a list', first);
    }
  }

  /** JSON schemas nest as deep as JSON may, so few calls may lie between two levels of recursion. */
  #schema({ schema }: ValuePlan, frame: number, tag: number): void {
    const writer = this.#writer;
    const { size } = writer;
    this.fields(schema.message, frame);
    writer.lengthSince(size);
    writer.varint(tag);
  }

  /** Any other message, without its length. */
  #content(plan: ValuePlan, first: number, second: number): void {
    const writer = this.#writer;
    switch (plan.form) {
      case 'list':
        this.#items(plan.items, first, plan.itemTag);
        return;
      case 'json':
        if (first === NOTHING) return;
        writer.part(this.#json, first, second);
        writer.varint(second - first);
        writer.varint(FIRST);
        return;
      default:
        this.#special(plan, first, second);
    }
  }

  // Upstream: the generated.proto files of apimachinery and apiextensions.
  #special(plan: ValuePlan, first: number, second: number): void {
    const writer = this.#writer;
    switch (plan.form) {
      case 'time':
        if (first !== NOTHING) this.#time(parseTimestamp(this.#index.text(first, second)).seconds, 0);
        return;
      case 'microTime': {
        if (first === NOTHING) return;
        const { seconds, nanoseconds } = parseMicroTimestamp(this.#index.text(first, second));
        this.#time(seconds, nanoseconds - (nanoseconds % 1000));
        return;
      }
      case 'duration':
        writer.integer(first === NOTHING ? 0 : parseDuration(this.#index.text(first, second)));
        writer.varint(FIRST_NUMBER);
        return;
      case 'quantity':
        if (first === NOTHING) writer.string('0');
        else this.#string(first, second);
        writer.varint(FIRST);
        return;
      case 'intOrString': {
        const isString = this.#json[first] === QUOTE;
        this.#string(isString ? first : NOTHING, second);
        writer.varint(THIRD);
        this.#integer(isString ? NOTHING : first, second);
        writer.varint(SECOND_NUMBER);
        writer.varint(isString ? 1 : 0);
        writer.varint(FIRST_NUMBER);
        return;
      }
      default:
        throw new TypeError(`no message of form ${plan.form}`);
    }
  }

  #time(seconds: number, nanoseconds: number): void {
    const writer = this.#writer;
    writer.varint(nanoseconds);
    writer.varint(SECOND_NUMBER);
    writer.integer(seconds);
    writer.varint(FIRST_NUMBER);
  }

  /** Includes the length. */
  #string(begin: number, end: number): void {
    const writer = this.#writer;
    if (begin === NOTHING) {
      writer.varint(0);
    } else if (this.#json[begin] !== QUOTE) {
      throw this.#mistyped('a string', begin);
    } else if (end < 0) {
      writer.string(this.#index.text(begin, end));
    } else {
      writer.part(this.#json, begin + 1, end - 1);
      writer.varint(end - begin - 2);
    }
  }

  #boolean(begin: number): boolean {
    if (begin === NOTHING) return false;
    const code = this.#json[begin];
    if (code !== LETTER_T && code !== LETTER_F) throw this.#mistyped('a boolean', begin);
    return code === LETTER_T;
  }

  #number(begin: number, end: number): number {
    const number = Number(this.#json.toString('latin1', begin, end));
    if (Number.isNaN(number)) throw this.#mistyped('a number', begin);
    return number;
  }

  #integer(begin: number, end: number): void {
    const json = this.#json;
    if (begin === NOTHING) {
      this.#writer.varint(0);
      return;
    }
    if (end - begin >= LONG_INTEGER) {
      const text = json.toString('latin1', begin, end);
      if (!integer.test(text)) throw this.#mistyped('an integer', begin);
      this.#writer.integer(BigInt(text));
      return;
    }
    const isNegative = json[begin] === MINUS;
    let value = 0;
    for (let at = isNegative ? begin + 1 : begin; at < end; at++) {
      const digit = (json[at] ?? 0) - ZERO;
      if (!(digit >= 0 && digit <= 9)) throw this.#mistyped('an integer', begin);
      value = value * 10 + digit;
    }
    this.#writer.integer(isNegative ? -value : value);
  }

  #at(position: number): number {
    return this.#integers[position] ?? NOTHING;
  }

  #mistyped(expected: string, begin: number): DecodeError {
    return new DecodeError(`expected ${expected} at offset ${begin}`);
  }
}
