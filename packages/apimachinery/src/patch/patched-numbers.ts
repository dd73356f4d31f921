import {
  type ContainerTexts as Texts,
  deepEqualInSteps,
  formatNumber,
  getOwn,
  isObject,
  type JsonDetails,
  type JsonObject,
  type JsonValue,
  keysInSteps,
} from '../json/index.js';
import { Pace, type Steps } from '../work/index.js';
import { ListTexts } from './list-texts.js';

/** About a millisecond of comparisons. */
const VALUES_PER_STEP = 5000;

type Container = JsonObject | JsonValue[];

/** A value, and its text if it is a number whose text is known. */
export interface Part {
  readonly value: JsonValue | undefined;
  readonly text?: string | undefined;
}

/**
 * The texts of the numbers in a document that is being patched. Details are keyed by containers, and a patch creates
 * containers, so it carries the texts of its numbers over to them. Decoding needs them: Go refuses `1.0` for an integer.
 */
export class PatchedNumbers {
  readonly #read: JsonDetails | undefined;
  /** The texts of copies, which have the same items and fields. */
  readonly #shared = new Map<Container, Texts>();
  /** The texts of objects and lists that the patch changes. */
  readonly #objects = new Map<JsonObject, Map<string | number, string>>();
  readonly #lists = new Map<JsonValue[], ListTexts>();

  /** `read` has the texts of the patch itself. */
  constructor(read?: JsonDetails) {
    this.#read = read;
  }

  /** The details of the result. */
  get details(): JsonDetails | undefined {
    return this.#read && { duplicateKeys: this.#read.duplicateKeys, numberTexts: this };
  }

  get(holder: Container): Texts | undefined {
    return this.#editedOf(holder) ?? this.#shared.get(holder) ?? this.#read?.numberTexts.get(holder);
  }

  /** Gives `to`, a copy of `from`, its texts. */
  share(from: Container, to: Container): void {
    const texts = this.get(from);
    if (texts !== undefined) this.#shared.set(to, texts);
  }

  /** Gives `to`, a copy of `from`, texts that may change. */
  copy(from: Container, to: Container): void {
    const texts = this.get(from);
    if (texts !== undefined) this.#edit(to, texts);
  }

  /** Sets or deletes a text of a copy. */
  set(copy: Container, key: string | number, text: string | undefined): void {
    const texts = this.#editedOf(copy) ?? (text === undefined ? undefined : this.#edit(copy, undefined));
    if (texts instanceof ListTexts) texts.set(key, text);
    else if (text === undefined) texts?.delete(key);
    else texts?.set(key, text);
  }

  /** Moves the texts of the items from `index` on by one place: `by` is 1 for an added item, -1 for a removed one. */
  shift(list: JsonValue[], index: number, by: 1 | -1): void {
    this.#lists.get(list)?.shift(index, by);
  }

  #editedOf(copy: Container) {
    return Array.isArray(copy) ? this.#lists.get(copy) : this.#objects.get(copy);
  }

  #edit(copy: Container, texts: Texts | undefined) {
    if (Array.isArray(copy)) {
      const made = new ListTexts(copy.length, texts);
      this.#lists.set(copy, made);
      return made;
    }
    const made = new Map<string | number, string>();
    for (const key of texts === undefined ? [] : Object.keys(copy)) {
      const text = texts?.get(key);
      if (text !== undefined) made.set(key, text);
    }
    this.#objects.set(copy, made);
    return made;
  }

  /** Whether two values are equal. Numbers are equal if their texts are, like upstream: `1.0` is not `1`. */
  areEqual(a: Part, b: Part): Steps<boolean> {
    return this.#read === undefined
      ? deepEqualInSteps(a.value, b.value)
      : this.#areEqual(a, b, new Pace(VALUES_PER_STEP));
  }

  *#areEqual(a: Part, b: Part, pace: Pace): Steps<boolean> {
    if (pace.endsStep()) yield;
    const [one, other] = [a.value, b.value];
    if (isNumber(one)) return isNumber(other) && textOf(one, a.text) === textOf(other, b.text);
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || one.length !== other.length) return false;
      for (let index = 0; index < one.length; index++) {
        if (!(yield* this.#areEqual(this.partOf(one, index), this.partOf(other, index), pace))) return false;
      }
      return true;
    }
    if (!isObject(one)) return one === other;
    if (!isObject(other)) return false;
    const keys = yield* keysInSteps(one);
    if (keys.length !== (yield* keysInSteps(other)).length) return false;
    for (const key of keys) {
      if (!(yield* this.#areEqual(this.partOf(one, key), this.partOf(other, key), pace))) return false;
    }
    return true;
  }

  partOf(holder: Container, key: string | number): Part {
    const value = Array.isArray(holder) ? holder[Number(key)] : getOwn(holder, String(key));
    return { value, text: this.get(holder)?.get(key) };
  }
}

function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function textOf(value: number | bigint, text: string | undefined): string {
  return text ?? (typeof value === 'bigint' ? String(value) : formatNumber(value));
}
