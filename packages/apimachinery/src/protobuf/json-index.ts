import { compareUtf8, endOfString, endOfValue } from '../json/index.js';
import { DecodeError } from '../serializer/index.js';
import type { MessagePlan, ValuePlan } from './plan.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LETTER_N = 0x6e;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The first integer of a null or absent value. */
export const NOTHING = 0;
/** The first integer of an empty struct, list or map. These have no frame, because there may be very many. */
const EMPTY = -1;
/** The second integer of values that are not text. */
export const STRUCT = 1;
export const LIST = 2;

/** The integers of a value. */
export const VALUE = 2;
/** The offset, in an entry, of the previous entry. */
export const PREVIOUS = 2;
export const KEY_BEGIN = 3;
export const KEY_END = 4;
const LIST_ENTRY = 3;
const MAP_ENTRY = 5;

/** The index of the first value. No value has the index {@link NOTHING}. */
const ROOT = 1;
const INITIAL_SIZE = 16 * 1024;
/** A larger index is released after its document. */
const KEPT_SIZE = 256 * 1024;
const NO_JSON = Buffer.alloc(0);

/**
 * Positions of the values of a JSON document without whitespace, found in one pass along the plan of its message. A
 * single array of integers holds them, so a read allocates nothing. A value takes two integers:
 *
 * - text, of a scalar and of any value whose form is `json`: begin and end; the end is negative for a string with
 *   escapes
 * - a struct: the index of its frame, negative if empty, and {@link STRUCT}. A frame has a value for each member of the
 *   plan.
 * - a list or a map: the index of its last entry, negative if empty, and {@link LIST}
 * - null or absent: {@link NOTHING}, twice
 *
 * An entry holds a value, the index of the previous entry or {@link NOTHING}, and in a map the beginning and end of its
 * key. Entries of a map are sorted by key.
 */
export class JsonIndex {
  json: Buffer = NO_JSON;
  integers = new Int32Array(INITIAL_SIZE);
  #used = 0;

  /**
   * Reads a document, which must not change until {@link reset}, and returns the frame of its object. Throws
   * DecodeError if the document does not match the plan.
   */
  read(json: Uint8Array, plan: MessagePlan): number {
    this.json = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
    this.#used = ROOT + VALUE;
    const end = this.#struct(plan, ROOT, 0);
    if (end !== json.length) this.#fail('the end of the document', end);
    return this.integers[ROOT] ?? NOTHING;
  }

  reset(): void {
    this.json = NO_JSON;
    if (this.integers.length > KEPT_SIZE) this.integers = new Int32Array(INITIAL_SIZE);
    else this.integers.fill(NOTHING, 0, this.#used);
    this.#used = 0;
  }

  /** Decodes the string whose text is from `begin` to `end`. */
  text(begin: number, end: number): string {
    if (this.json[begin] !== QUOTE) this.#fail('a string', begin);
    if (end < 0) return JSON.parse(this.json.toString('utf8', begin, -end)) as string;
    return this.json.toString('utf8', begin + 1, end - 1);
  }

  // Each of these reads the value at `begin` into a slot and returns its end.

  #value(plan: ValuePlan, slot: number, begin: number): number {
    const code = this.json[begin];
    if (code === LETTER_N) return endOfValue(this.json, begin);
    switch (plan.form) {
      case 'struct':
        return this.#struct(plan.message, slot, begin);
      case 'list':
        return this.#list(plan.items, slot, begin);
      case 'map':
        return this.#map(plan.items, slot, begin);
      case 'json':
        return this.#put(slot, begin, endOfValue(this.json, begin));
      case 'schemaOrBoolean':
      case 'schemaOrList':
      case 'schemaOrStrings':
        if (code === OPEN_BRACE) return this.#struct(plan.schema.message, slot, begin);
        return code === OPEN_BRACKET ? this.#list(plan.items, slot, begin) : this.#scalar(slot, begin);
      default:
        return this.#scalar(slot, begin);
    }
  }

  #scalar(slot: number, begin: number): number {
    const code = this.json[begin];
    if (code === QUOTE) return this.#put(slot, begin, endOfString(this.json, begin));
    if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#fail('a scalar', begin);
    return this.#put(slot, begin, endOfValue(this.json, begin));
  }

  #struct(plan: MessagePlan, slot: number, begin: number): number {
    const { json } = this;
    const { members } = plan;
    if (json[begin] !== OPEN_BRACE) this.#fail('an object', begin);
    this.#put(slot, EMPTY, STRUCT);
    let at = begin + 1;
    if (json[at] === CLOSE_BRACE) return at + 1;
    const frame = this.#allocate(members.length * VALUE);
    this.#put(slot, frame, STRUCT);
    for (let next = 0; ; at++) {
      const position = memberAt(json, at, plan, next);
      const member = members[position];
      if (member === undefined) {
        at = endOfValue(json, this.#colon(endOfValue(json, at)));
      } else {
        at = this.#value(member.value, frame + position * VALUE, at + member.key.length);
        next = position + 1;
      }
      if (json[at] !== COMMA) return this.#close(CLOSE_BRACE, at);
    }
  }

  #list(items: ValuePlan, slot: number, begin: number): number {
    const { json } = this;
    if (json[begin] !== OPEN_BRACKET) this.#fail('a list', begin);
    this.#put(slot, EMPTY, LIST);
    let at = begin + 1;
    if (json[at] === CLOSE_BRACKET) return at + 1;
    for (let previous = NOTHING; ; at++) {
      const entry = this.#allocate(LIST_ENTRY);
      at = this.#value(items, entry, at);
      this.integers[entry + PREVIOUS] = previous;
      previous = entry;
      if (json[at] === COMMA) continue;
      this.#put(slot, entry, LIST);
      return this.#close(CLOSE_BRACKET, at);
    }
  }

  #map(values: ValuePlan, slot: number, begin: number): number {
    const { json } = this;
    if (json[begin] !== OPEN_BRACE) this.#fail('a map', begin);
    this.#put(slot, EMPTY, LIST);
    let at = begin + 1;
    if (json[at] === CLOSE_BRACE) return at + 1;
    let sorted = true;
    for (let previous = NOTHING; ; at++) {
      if (json[at] !== QUOTE) this.#fail('a key', at);
      const entry = this.#allocate(MAP_ENTRY);
      const key = at;
      const end = endOfString(json, key);
      at = this.#value(values, entry, this.#colon(Math.abs(end)));
      const { integers } = this;
      integers[entry + PREVIOUS] = previous;
      integers[entry + KEY_BEGIN] = key;
      integers[entry + KEY_END] = end;
      sorted &&= end > 0 && (previous === NOTHING || isBefore(json, integers[previous + KEY_BEGIN] ?? 0, key));
      previous = entry;
      if (json[at] === COMMA) continue;
      this.#put(slot, sorted ? entry : this.#sort(entry), LIST);
      return this.#close(CLOSE_BRACE, at);
    }
  }

  /** Sorts the entries of a map by key and returns the last. */
  #sort(last: number): number {
    const { integers } = this;
    const entries: { readonly entry: number; readonly key: string }[] = [];
    for (let entry = last; entry !== NOTHING; entry = integers[entry + PREVIOUS] ?? NOTHING) {
      entries.push({ entry, key: this.text(integers[entry + KEY_BEGIN] ?? 0, integers[entry + KEY_END] ?? 0) });
    }
    entries.sort((a, b) => compareUtf8(a.key, b.key));
    let previous = NOTHING;
    for (const { entry } of entries) {
      integers[entry + PREVIOUS] = previous;
      previous = entry;
    }
    return previous;
  }

  #put(slot: number, first: number, second: number): number {
    this.integers[slot] = first;
    this.integers[slot + 1] = second;
    return Math.abs(second);
  }

  #colon(at: number): number {
    if (this.json[at] !== COLON) this.#fail('a colon', at);
    return at + 1;
  }

  #close(bracket: number, at: number): number {
    if (this.json[at] !== bracket) this.#fail('a comma or the end', at);
    return at + 1;
  }

  /** Allocates this many integers, set to zero. */
  #allocate(count: number): number {
    const begin = this.#used;
    this.#used += count;
    if (this.#used > this.integers.length) {
      const larger = new Int32Array(this.#used * 2);
      larger.set(this.integers);
      this.integers = larger;
    }
    return begin;
  }

  #fail(expected: string, at: number): never {
    throw new DecodeError(`expected ${expected} at offset ${at}`);
  }
}

/**
 * The position of the member whose key is at `at`, or -1. Tries `next` first, because documents are usually in Go's
 * order.
 */
function memberAt(json: Uint8Array, at: number, { members }: MessagePlan, next: number): number {
  const { length } = members;
  for (let tried = 0, position = next; tried < length; tried++, position++) {
    if (position === length) position = 0;
    const member = members[position];
    if (member !== undefined && standsAt(json, at, member.key)) return position;
  }
  return -1;
}

function standsAt(json: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index++) if (json[at + index] !== text[index]) return false;
  return true;
}

/** Whether the key at `left` sorts before the one at `right`. Neither has escapes. */
function isBefore(json: Uint8Array, left: number, right: number): boolean {
  let offset = 1;
  while (json[left + offset] === json[right + offset] && json[left + offset] !== QUOTE) offset++;
  if (json[right + offset] === QUOTE) return false;
  return json[left + offset] === QUOTE || (json[left + offset] ?? 0) < (json[right + offset] ?? 0);
}
