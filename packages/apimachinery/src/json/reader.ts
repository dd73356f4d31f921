import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LETTER_CASE,
  LINE_FEED,
  LOWER_A,
  LOWER_B,
  LOWER_E,
  LOWER_F,
  LOWER_N,
  LOWER_R,
  LOWER_T,
  LOWER_U,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  POINT,
  QUOTE,
  SLASH,
  SPACE,
  TAB,
  ZERO,
} from './characters.js';
import { StrictErrors } from './strict-errors.js';
import { JsonNumberRangeError, JsonSyntaxError, quoteByte } from './syntax-error.js';
import { wellFormed } from './text.js';
import { getOwn, type JsonObject, type JsonValue, setOwn } from './value.js';

/**
 * The maximum nesting of a document. Go stops at 10000. Every walk over a decoded tree recurses; this depth is safe for
 * all of them, and real objects stay far below it.
 */
export const MAX_JSON_DEPTH = 1000;

export interface JsonLimits {
  /** The maximum nesting of containers. Default {@link MAX_JSON_DEPTH}. */
  readonly maxDepth?: number;
  /** The maximum number of keys, of all objects together. Listing a million keys of an object takes most of a second. */
  readonly maxKeys?: number;
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const integer = /^-?[0-9]+$/;

/**
 * Parses a document in one pass over its characters, which can pause between two values. Syntax errors count
 * characters; `parseJson` converts them to bytes.
 */
export class JsonReader {
  readonly duplicates = new StrictErrors();
  readonly duplicateKeys = new Map<JsonObject, Map<string, JsonObject[]>>();
  readonly numberTexts = new Map<JsonObject | JsonValue[], Map<string | number, string>>();
  readonly #text: string;
  readonly #maxDepth: number;
  #keysLeft: number;
  /** The containers that are open, outermost first, and the position in each. */
  readonly #containers: (JsonObject | JsonValue[])[] = [];
  readonly #path: (string | number)[] = [];
  /** The value of the whole document, once it has been read. */
  value: JsonValue = null;
  #position = 0;
  /** The text of the last number, if it is not a plain integer. */
  #numberText: string | undefined = undefined;
  /** Reported after the whole document is found to be well-formed, as Go does. */
  rangeError: JsonNumberRangeError | undefined = undefined;

  constructor(text: string, { maxDepth = MAX_JSON_DEPTH, maxKeys = Infinity }: JsonLimits = {}) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#keysLeft = maxKeys;
  }

  /** Reads up to this many values. Returns true at the end of the document; then {@link value} is its value. */
  advance(values: number): boolean {
    for (let count = 0; count < values; count++) {
      const code = this.#skipSpace();
      const isComplete =
        code === OPEN_BRACE
          ? this.#openObject()
          : code === OPEN_BRACKET
            ? this.#openArray()
            : this.#ends(this.#scalar(code));
      if (!isComplete) continue;
      this.#skipSpace();
      if (this.#position < this.#text.length) this.#fail('after top-level value');
      return true;
    }
    return false;
  }

  #scalar(code: number): JsonValue {
    switch (code) {
      case QUOTE:
        return this.#string();
      case LOWER_T:
        return this.#literal('true', true);
      case LOWER_F:
        return this.#literal('false', false);
      case LOWER_N:
        return this.#literal('null', null);
    }
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number();
    return this.#failOrEnd('looking for beginning of value');
  }

  /** Moves to the first value of a container. An empty one ends at once, as in {@link #ends}. */
  #openObject(): boolean {
    const object: JsonObject = {};
    if (this.#path.length >= this.#maxDepth) this.#fail('exceeded max depth');
    this.#position++;
    if (this.#skipSpace() === CLOSE_BRACE) {
      this.#position++;
      return this.#ends(object);
    }
    this.#containers.push(object);
    this.#path.push('');
    this.#key(object);
    return false;
  }

  #openArray(): boolean {
    const array: JsonValue[] = [];
    if (this.#path.length >= this.#maxDepth) this.#fail('exceeded max depth');
    this.#position++;
    if (this.#skipSpace() === CLOSE_BRACKET) {
      this.#position++;
      return this.#ends(array);
    }
    this.#containers.push(array);
    this.#path.push(0);
    return false;
  }

  /** Reads a key and its colon. */
  #key(object: JsonObject): void {
    if (this.#skipSpace() !== QUOTE) this.#failOrEnd('looking for beginning of object key string');
    if (--this.#keysLeft < 0) this.#fail('exceeded max keys');
    const key = this.#string();
    if (this.#skipSpace() !== COLON) this.#failOrEnd('after object key');
    this.#position++;
    if (Object.hasOwn(object, key)) this.#duplicate(object, key);
    this.#path[this.#path.length - 1] = key;
  }

  /**
   * Adds a value to its container. If that ends the container, adds it to its own parent, and so on. Returns true if
   * the outermost one has ended.
   */
  #ends(given: JsonValue): boolean {
    for (let value = given; ; this.#path.pop()) {
      const container = this.#containers.at(-1);
      if (container === undefined) {
        this.value = value;
        return true;
      }
      const isList = Array.isArray(container);
      if (isList) this.#item(container, value);
      else this.#field(container, value);
      const code = this.#skipSpace();
      if (code === COMMA) {
        this.#position++;
        if (!isList) this.#key(container);
        return false;
      }
      if (code !== (isList ? CLOSE_BRACKET : CLOSE_BRACE)) {
        this.#failOrEnd(isList ? 'after array element' : 'after object key:value pair');
      }
      this.#position++;
      this.#containers.pop();
      value = container;
    }
  }

  #field(object: JsonObject, value: JsonValue): void {
    const key = String(this.#path[this.#path.length - 1]);
    if (this.#numberText !== undefined) this.#keepNumberText(object, key, this.#numberText);
    setOwn(object, key, value);
  }

  #item(array: JsonValue[], value: JsonValue): void {
    if (this.#numberText !== undefined) this.#keepNumberText(array, array.length, this.#numberText);
    array.push(value);
    this.#path[this.#path.length - 1] = array.length;
  }

  /** The last of several values wins and moves to the last place, so that errors are reported in key order. */
  #duplicate(object: JsonObject, key: string): void {
    if (!this.duplicates.isFull) this.duplicates.add(formatPath([...this.#path.slice(0, -1), key]));
    const keys = this.duplicateKeys.get(object) ?? new Map<string, JsonObject[]>();
    this.duplicateKeys.set(object, keys);
    const earlier = keys.get(key) ?? [];
    keys.set(key, earlier);
    const holder: JsonObject = {};
    const value = getOwn(object, key);
    if (value !== undefined) setOwn(holder, key, value);
    earlier.push(holder);
    const text = this.numberTexts.get(object)?.get(key);
    if (text !== undefined) this.#keepNumberText(holder, key, text);
    this.numberTexts.get(object)?.delete(key);
    delete object[key];
  }

  #keepNumberText(holder: JsonObject | JsonValue[], key: string | number, text: string): void {
    const texts = this.numberTexts.get(holder);
    if (texts === undefined) this.numberTexts.set(holder, new Map([[key, text]]));
    else texts.set(key, text);
    this.#numberText = undefined;
  }

  #string(): string {
    const text = this.#text;
    const start = ++this.#position;
    for (let index = start; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.#position = index + 1;
        return text.slice(start, index);
      }
      if (code === BACKSLASH) return this.#escapedString(start, index);
      if (code < SPACE) {
        this.#position = index;
        this.#fail('in string literal');
      }
    }
    return this.#end();
  }

  /** Finds the end first, since joining the parts between a megabyte of escapes takes a second. */
  #escapedString(start: number, firstEscape: number): string {
    const text = this.#text;
    for (let index = firstEscape; index < text.length; ) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.#position = index + 1;
        // A lone surrogate becomes U+FFFD.
        return wellFormed(JSON.parse(text.slice(start - 1, index + 1)) as string);
      }
      if (code < SPACE) {
        this.#position = index;
        this.#fail('in string literal');
      }
      index = code === BACKSLASH ? this.#endOfEscape(index + 1) : index + 1;
    }
    return this.#end();
  }

  /** The end of an escape. `at` follows its backslash. */
  #endOfEscape(at: number): number {
    const text = this.#text;
    const code = text.charCodeAt(at);
    if (code !== LOWER_U) {
      if (isEscape(code)) return at + 1;
      this.#position = at;
      this.#fail('in string escape code');
    }
    for (let index = at + 1; index < at + 5; index++) {
      if (isHexDigit(text.charCodeAt(index))) continue;
      this.#position = index;
      this.#fail('in \\u hexadecimal character escape');
    }
    return at + 5;
  }

  #number(): JsonValue {
    const start = this.#position;
    if (this.#code() === MINUS) this.#position++;
    if (this.#code() === ZERO) this.#position++;
    else this.#digits('in numeric literal');
    if (this.#code() === POINT) {
      this.#position++;
      this.#digits('after decimal point in numeric literal');
    }
    if ((this.#code() | LETTER_CASE) === LOWER_E) {
      this.#position++;
      if (this.#code() === PLUS || this.#code() === MINUS) this.#position++;
      this.#digits('in exponent of numeric literal');
    }
    return this.#convert(this.#text.slice(start, this.#position));
  }

  #convert(text: string): number | bigint {
    if (integer.test(text)) {
      if (text.length < 16) return Number(text) + 0;
      // Converting a megabyte of digits would take quadratic time. No integer of more than 20 characters fits.
      const exact = text.length <= 20 ? BigInt(text) : undefined;
      if (exact !== undefined && exact >= INT64_MIN && exact <= INT64_MAX) {
        const double = Number(exact);
        return Number.isSafeInteger(double) ? double : exact;
      }
    }
    const double = Number(text);
    if (!Number.isFinite(double)) this.rangeError ??= new JsonNumberRangeError(text);
    this.#numberText = text;
    return double;
  }

  #digits(context: string): void {
    const start = this.#position;
    while (this.#code() >= ZERO && this.#code() <= NINE) this.#position++;
    if (this.#position === start) this.#fail(context);
  }

  #literal<T>(word: string, value: T): T {
    for (let index = 1; index < word.length; index++) {
      this.#position++;
      if (this.#code() !== word.charCodeAt(index)) {
        this.#fail(`in literal ${word} (expecting '${word.charAt(index)}')`);
      }
    }
    this.#position++;
    return value;
  }

  /** The code at the position, or -1 at the end. */
  #code(): number {
    return this.#position < this.#text.length ? this.#text.charCodeAt(this.#position) : -1;
  }

  /** Skips whitespace and returns the code after it, or -1. */
  #skipSpace(): number {
    const text = this.#text;
    for (; this.#position < text.length; this.#position++) {
      const code = text.charCodeAt(this.#position);
      if (code !== SPACE && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return code;
    }
    return -1;
  }

  #failOrEnd(context: string): never {
    return this.#position < this.#text.length ? this.#fail(context) : this.#end();
  }

  #end(): never {
    throw new JsonSyntaxError('unexpected end of JSON input', this.#text.length);
  }

  /** Go feeds its scanner a space at the end of input, so a truncated number or word gives an error about a space. */
  #fail(context: string): never {
    const code = this.#code();
    throw new JsonSyntaxError(
      `invalid character ${quoteByte(code < 0 ? SPACE : code)} ${context}`,
      this.#position + (code < 0 ? 0 : 1),
    );
  }
}

function isHexDigit(code: number): boolean {
  return (code >= ZERO && code <= NINE) || ((code | LETTER_CASE) >= LOWER_A && (code | LETTER_CASE) <= LOWER_F);
}

/** Whether the character may follow a backslash: one of `"\\/bfnrt`. */
function isEscape(code: number): boolean {
  switch (code) {
    case QUOTE:
    case SLASH:
    case BACKSLASH:
    case LOWER_B:
    case LOWER_F:
    case LOWER_N:
    case LOWER_R:
    case LOWER_T:
      return true;
    default:
      return false;
  }
}

/** `spec.containers[0].name`: the form of paths in strict decoding errors. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
