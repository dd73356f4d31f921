import { decodeUtf8, type Int64, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import { Pace, type Steps } from '../work/index.js';
import { CborError, unacceptable } from './cbor-error.js';
import { HeadReader } from './head-reader.js';
import {
  ARRAY,
  BYTES,
  DATE_TIME,
  EPOCH_TIME,
  FALSE,
  LATER_BASE16,
  LATER_BASE64,
  LATER_BASE64URL,
  majorTypeName,
  MAP,
  NEGATIVE,
  NULL,
  SIMPLE,
  TAG,
  TEXT,
  TRUE,
  UNSIGNED,
} from './item-type.js';
import { dateTime, epochTime } from './times.js';

const INT64_LIMIT = 2n ** 63n;
/** About a millisecond of work. */
const ITEMS_PER_STEP = 2000;
/** Numbers from here on have an exponent in their text. */
const LONGEST_DIGITS = 1e21;

/** How byte strings inside a tag become text: RFC 8949, section 3.4.5.2. */
const laterEncodings: ReadonlyMap<Int64, BufferEncoding> = new Map([
  [LATER_BASE64URL, 'base64url'],
  [LATER_BASE64, 'base64'],
  [LATER_BASE16, 'hex'],
]);

/**
 * One pass over a document that has been checked as well-formed; the check bounds the recursion. Upstream: apimachinery
 * `serializer/cbor/internal/modes`.
 */
export class ValueReader {
  readonly numberTexts = new Map<JsonObject | JsonValue[], Map<string | number, string>>();
  readonly #items: HeadReader;
  readonly #pace = new Pace(ITEMS_PER_STEP);
  /** The text encoding set by the enclosing tag. */
  #encoding: BufferEncoding | undefined = undefined;
  /** The number's text, if the tree cannot tell its form. */
  #numberText: string | undefined = undefined;

  constructor(bytes: Uint8Array) {
    this.#items = new HeadReader(bytes);
  }

  *value(): Steps<JsonValue> {
    const argument = this.#items.head();
    return hasParts(this.#items.type) ? yield* this.#parts(argument) : this.#scalar(argument);
  }

  /** The value whose head was read last. Only {@link hasParts} values need steps. */
  #scalar(argument: Int64): JsonValue {
    const items = this.#items;
    switch (items.type) {
      case UNSIGNED:
        return integer(argument);
      case NEGATIVE:
        return integer(typeof argument === 'bigint' ? -1n - argument : -1 - argument);
      case BYTES:
      case TEXT:
        return this.#string(argument);
      default:
        return items.isFloat ? this.#float(items.float()) : simple(argument);
    }
  }

  #parts(argument: Int64): Steps<JsonValue> {
    const { type } = this.#items;
    if (type === TAG) return this.#tagged(argument);
    return type === ARRAY ? this.#array(argument) : this.#map(argument);
  }

  #string(length: Int64): string {
    const items = this.#items;
    if (items.isIndefinite) return this.#chunks(items.type);
    if (this.#encoding === undefined || items.type === TEXT) return items.string(length);
    return items.encoded(length, this.#encoding);
  }

  #chunks(type: number): string {
    const items = this.#items;
    let whole = '';
    if (type === TEXT) {
      while (!items.ends()) whole += items.string(items.head());
      return whole;
    }
    while (!items.ends()) whole += items.encoded(items.head(), 'latin1');
    if (whole === '') return whole;
    const bytes = Buffer.from(whole, 'latin1');
    return this.#encoding === undefined ? decodeUtf8(bytes) : bytes.toString(this.#encoding);
  }

  *#array(count: Int64): Steps<JsonValue> {
    const array: JsonValue[] = [];
    const items = this.#items;
    const { isIndefinite } = items;
    for (let index = 0; isIndefinite ? !items.ends() : index < count; index++) {
      if (this.#pace.endsStep()) yield;
      const argument = items.head();
      array.push(hasParts(items.type) ? yield* this.#parts(argument) : this.#scalar(argument));
      if (this.#numberText !== undefined) this.#keepNumberText(array, index, this.#numberText);
    }
    return array;
  }

  *#map(count: Int64): Steps<JsonValue> {
    const object: JsonObject = {};
    const items = this.#items;
    const { isIndefinite } = items;
    for (let index = 0; isIndefinite ? !items.ends() : index < count; index++) {
      if (this.#pace.endsStep()) yield;
      const key = this.#key(index);
      if (Object.hasOwn(object, key)) {
        throw new CborError(`cbor: found duplicate map key ${JSON.stringify(key)} at map element index ${index}`);
      }
      const argument = items.head();
      setOwn(object, key, hasParts(items.type) ? yield* this.#parts(argument) : this.#scalar(argument));
      if (this.#numberText !== undefined) this.#keepNumberText(object, key, this.#numberText);
    }
    return object;
  }

  /** Reads a string inside any tags. A null is an empty string if it is the first key, like upstream. */
  #key(index: number): string {
    const items = this.#items;
    const outer = this.#encoding;
    let argument = items.head();
    while (items.type === TAG) {
      this.#checkContent(argument);
      this.#encoding = laterEncodings.get(argument) ?? this.#encoding;
      argument = items.head();
    }
    const { type } = items;
    if (type === BYTES || type === TEXT) {
      const key = this.#string(argument);
      this.#encoding = outer;
      return key;
    }
    if (type === SIMPLE && !items.isFloat && simple(argument) === null && index === 0) {
      this.#encoding = outer;
      return '';
    }
    throw new CborError(`cbor: cannot unmarshal ${majorTypeName(type)} into Go value of type string`);
  }

  #keepNumberText(holder: JsonObject | JsonValue[], key: string | number, text: string): void {
    const texts = this.numberTexts.get(holder);
    if (texts === undefined) this.numberTexts.set(holder, new Map([[key, text]]));
    else texts.set(key, text);
    this.#numberText = undefined;
  }

  /** A tag without meaning in JSON is replaced by its content. */
  *#tagged(tag: Int64): Steps<JsonValue> {
    this.#checkContent(tag);
    const outer = this.#encoding;
    this.#encoding = laterEncodings.get(tag) ?? outer;
    const value = yield* this.value();
    this.#encoding = outer;
    if (tag === DATE_TIME) return dateTime(value);
    if (tag !== EPOCH_TIME) return value;
    this.#numberText = undefined;
    return epochTime(value);
  }

  #checkContent(tag: Int64): void {
    const items = this.#items;
    const type = items.nextType();
    if (tag === DATE_TIME && type !== TEXT) throw wrongContent(tag, 'text string', type);
    const isNumber = type === UNSIGNED || type === NEGATIVE || items.isNextFloat();
    if (tag === EPOCH_TIME && !isNumber) throw wrongContent(tag, 'integer or floating-point number', type);
  }

  #float(value: number): number {
    if (Number.isInteger(value) && Math.abs(value) < LONGEST_DIGITS) this.#numberText = `${value}.0`;
    return value;
  }
}

/** Whether values of this major type consist of others. */
function hasParts(type: number): boolean {
  return type === ARRAY || type === MAP || type === TAG;
}

function simple(value: Int64): boolean | null {
  if (value === FALSE) return false;
  if (value === TRUE) return true;
  if (value === NULL) return null;
  throw unacceptable(SIMPLE, `simple value ${value} is not recognized`);
}

function wrongContent(tag: Int64, wanted: string, type: number): CborError {
  return new CborError(`cbor: tag number ${tag} must be followed by ${wanted}, got ${majorTypeName(type)}`);
}

function integer(value: Int64): Int64 {
  if (typeof value === 'number' || (value < INT64_LIMIT && value >= -INT64_LIMIT)) return value;
  const type = majorTypeName(value < 0 ? NEGATIVE : UNSIGNED);
  throw new CborError(`cbor: cannot unmarshal ${type} into Go value of type int64 (${value} overflows Go's int64)`);
}
