import { type Int64, type JsonObject, type JsonValue, MAX_JSON_DEPTH, setOwn } from '../json/index.js';
import { parseTimestamp, TimeParseError } from '../time/index.js';
import { CborError } from './cbor-error.js';
import { HeadReader, unexpectedEnd } from './head-reader.js';
import {
  ARRAY,
  BYTES,
  FALSE,
  FLOAT16,
  FLOAT64,
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

const INT64_LIMIT = 2n ** 63n;
/** From here on, a number's text has an exponent. */
const LONGEST_DIGITS = 1e21;

const DATE_TIME = 0;
const EPOCH_TIME = 1;
const BIG_POSITIVE = 2;
const BIG_NEGATIVE = 3;

/** What byte strings within a tag are written as where text is wanted: RFC 8949, section 3.4.5.2. */
const laterEncodings: ReadonlyMap<Int64, BufferEncoding> = new Map([
  [21, 'base64url'],
  [22, 'base64'],
  [23, 'hex'],
]);

/**
 * One pass over a document. Recursion is bounded as that of JSON's reader, and nothing is made before the bytes for it have been seen.
 * Upstream: apimachinery `serializer/cbor/internal/modes`.
 */
export class ValueReader {
  readonly numberTexts = new Map<JsonObject | JsonValue[], Map<string | number, string>>();
  readonly #items: HeadReader;
  readonly #length: number;
  /** Of the tag around what is being read. */
  #encoding: BufferEncoding | undefined = undefined;
  /** What a float says of itself that the tree cannot. */
  #numberText: string | undefined = undefined;

  constructor(bytes: Uint8Array) {
    this.#items = new HeadReader(bytes);
    this.#length = bytes.length;
  }

  document(): JsonValue {
    if (this.#length === 0) throw new CborError('EOF');
    const value = this.#value(0);
    const { remaining } = this.#items;
    if (remaining === 0) return value;
    const start = this.#length - remaining;
    throw new CborError(`cbor: ${remaining} bytes of extraneous data starting at index ${start}`);
  }

  /** `depth`: containers and tags around it. */
  #value(depth: number): JsonValue {
    const items = this.#items;
    const argument = items.head();
    switch (items.type) {
      case UNSIGNED:
        return integer(argument);
      case NEGATIVE:
        return integer(typeof argument === 'bigint' ? -1n - argument : -1 - argument);
      case BYTES:
      case TEXT:
        return items.isIndefinite ? this.#chunks(items.type) : this.#string(argument);
      case ARRAY:
        return this.#array(argument, deeper(depth));
      case MAP:
        return this.#map(argument, deeper(depth));
      case TAG:
        return this.#tagged(argument, deeper(depth));
      default:
        return this.#simple(argument);
    }
  }

  #string(length: Int64): string {
    const items = this.#items;
    if (this.#encoding === undefined || items.type === TEXT) return items.string(length);
    return items.bytes(length).toString(this.#encoding);
  }

  #chunks(type: number): string {
    const items = this.#items;
    const bytes: Buffer[] = [];
    const texts: string[] = [];
    while (!items.ends()) {
      const length = items.head();
      if (items.type !== type) {
        throw new CborError(
          `cbor: wrong element type ${majorTypeName(items.type)} for indefinite-length ${majorTypeName(type)}`,
        );
      }
      if (items.isIndefinite) {
        throw new CborError(`cbor: indefinite-length ${majorTypeName(type)} chunk is not definite-length`);
      }
      if (type === TEXT) texts.push(items.string(length));
      else bytes.push(items.bytes(length));
    }
    if (type === TEXT) return texts.join('');
    const whole = Buffer.concat(bytes);
    return this.#encoding === undefined ? new HeadReader(whole).string(whole.length) : whole.toString(this.#encoding);
  }

  #array(count: Int64, depth: number): JsonValue[] {
    const array: JsonValue[] = [];
    const items = this.#items;
    const { isIndefinite } = items;
    if (count > items.remaining) throw unexpectedEnd();
    for (let index = 0; isIndefinite ? !items.ends() : index < count; index++) {
      this.#numberText = undefined;
      array.push(this.#value(depth));
      this.#keepNumberText(array, index);
    }
    return array;
  }

  #map(count: Int64, depth: number): JsonObject {
    const object: JsonObject = {};
    const items = this.#items;
    const { isIndefinite } = items;
    if (count > items.remaining / 2) throw unexpectedEnd();
    for (let index = 0; isIndefinite ? !items.ends() : index < count; index++) {
      const key = this.#value(depth);
      if (typeof key !== 'string') throw new CborError(`cbor: invalid map key type: ${goTypeOf(key)}`);
      if (Object.hasOwn(object, key)) {
        throw new CborError(`cbor: found duplicate map key ${JSON.stringify(key)} at map element index ${index}`);
      }
      this.#numberText = undefined;
      setOwn(object, key, this.#value(depth));
      this.#keepNumberText(object, key);
    }
    return object;
  }

  #keepNumberText(holder: JsonObject | JsonValue[], key: string | number): void {
    if (this.#numberText === undefined) return;
    const texts = this.numberTexts.get(holder);
    if (texts === undefined) this.numberTexts.set(holder, new Map([[key, this.#numberText]]));
    else texts.set(key, this.#numberText);
    this.#numberText = undefined;
  }

  /** The content of a tag that means nothing to JSON stands for itself. */
  #tagged(tag: Int64, depth: number): JsonValue {
    if (tag === BIG_POSITIVE || tag === BIG_NEGATIVE) throw unacceptable(TAG, 'bignum');
    const outer = this.#encoding;
    this.#encoding = laterEncodings.get(tag) ?? outer;
    const value = this.#value(depth);
    this.#encoding = outer;
    if (tag === DATE_TIME) return dateTime(value);
    if (tag !== EPOCH_TIME) return value;
    this.#numberText = undefined;
    return epochTime(value);
  }

  #simple(argument: Int64): JsonValue {
    const items = this.#items;
    if (items.information >= FLOAT16 && items.information <= FLOAT64) return this.#float(items.float());
    if (argument === FALSE) return false;
    if (argument === TRUE) return true;
    if (argument === NULL) return null;
    throw unacceptable(SIMPLE, `simple value ${argument}`);
  }

  #float(value: number): number {
    if (Number.isNaN(value)) throw unacceptable(SIMPLE, 'floating-point NaN');
    if (!Number.isFinite(value)) throw unacceptable(SIMPLE, 'floating-point infinity');
    if (Number.isInteger(value) && Math.abs(value) < LONGEST_DIGITS) this.#numberText = `${value}.0`;
    return value;
  }
}

function deeper(depth: number): number {
  if (depth >= MAX_JSON_DEPTH) throw new CborError(`cbor: exceeded max nested level ${MAX_JSON_DEPTH}`);
  return depth + 1;
}

function integer(value: Int64): Int64 {
  if (typeof value === 'number' || (value < INT64_LIMIT && value >= -INT64_LIMIT)) return value;
  const type = majorTypeName(value < 0 ? NEGATIVE : UNSIGNED);
  throw new CborError(`cbor: cannot unmarshal ${type} into Go value of type int64 (${value} overflows Go's int64)`);
}

function dateTime(value: JsonValue): string {
  if (typeof value !== 'string') throw wrongContent(DATE_TIME, 'text string', value);
  try {
    parseTimestamp(value);
    return value;
  } catch (error) {
    if (error instanceof TimeParseError)
      throw new CborError(`cbor: cannot set ${value} for time.Time: ${error.message}`);
    throw error;
  }
}

/** Seconds since the epoch; a fraction is exact to the millisecond. */
function epochTime(value: JsonValue): string {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw wrongContent(EPOCH_TIME, 'integer or float', value);
  const date = new Date(Number(value) * 1000);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (text.length !== '2006-01-02T15:04:05.000Z'.length)
    throw new CborError(`cbor: ${value} is no time of four-digit years`);
  return text.replace(/\.?0*Z$/, 'Z');
}

function wrongContent(tag: number, wanted: string, value: JsonValue): CborError {
  return new CborError(`cbor: tag number ${tag} must be followed by ${wanted}, got ${goTypeOf(value)}`);
}

function unacceptable(type: number, what: string): CborError {
  return new CborError(`cbor: data item of cbor type ${majorTypeName(type)} is not accepted by protocol: ${what}`);
}

/** What Go makes of a value where it expects none in particular. */
function goTypeOf(value: JsonValue): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'object') return 'map[string]interface {}';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'int64' : 'float64';
}
