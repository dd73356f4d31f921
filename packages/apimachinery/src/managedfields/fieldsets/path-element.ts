import {
  compareUtf8,
  formatNumber,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  quoteJson,
  sortedInSteps,
  sortUtf8,
  stringifyJson,
} from '../../json/index.js';
import type { Steps } from '../../work/index.js';

/** About a millisecond of work. */
const ELEMENTS_PER_STEP = 1000;

/**
 * One element of a path, in the form of `fieldsV1`: `f:name` a field or map key, `k:{"name":"c"}` the list item with
 * these keys, `v:"x"` the item of a set, `i:0` an index. Always in canonical form, so that equal elements are equal
 * strings.
 */
export type PathElement = string;

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** `keys` in any order; values are scalars. */
export function keyElement(keys: readonly (readonly [string, JsonValue])[]): PathElement {
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return `k:{${formatKey(only)}}`;
  const sorted = keys.toSorted((a, b) => compareUtf8(a[0], b[0]));
  return `k:{${sorted.map(formatKey).join(',')}}`;
}

function formatKey([name, value]: readonly [string, JsonValue]): string {
  return `${quoteJson(name)}:${typeof value === 'string' ? quoteJson(value) : stringifyJson(value)}`;
}

export function valueElement(value: JsonValue): PathElement {
  if (typeof value === 'string') return `v:${quoteJson(value)}`;
  return `v:${stringifyJson(value, { sortKeys: true })}`;
}

/** An invalid path element. */
export class PathElementError extends Error {
  override readonly name = 'PathElementError';
}

/**
 * The canonical form of a path element from outside; undefined for an unknown kind, which a later version may define.
 * Throws a {@link PathElementError}.
 */
export function readPathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new PathElementError('key must be 2 characters long:');
  if (text.charAt(1) !== ':') throw new PathElementError(`missing colon: ${text}`);
  switch (text.charAt(0)) {
    case 'f':
      return text;
    case 'v':
      return valueElement(checked(readJson(text), text));
    case 'k': {
      if (plainKey.test(text)) return text;
      const keys = readJson(text);
      if (!isObject(keys)) throw new PathElementError(`not an object: ${text}`);
      for (const value of Object.values(keys)) checked(value ?? null, text);
      return keyElement(keyFields(keys));
    }
    case 'i': {
      if (!/^[+-]?[0-9]{1,15}$/.test(text.slice(2))) throw new PathElementError(`not an index: ${text}`);
      return `i:${formatNumber(Number(text.slice(2)) || 0)}`;
    }
    default:
      return undefined;
  }
}

/**
 * Sorts elements in upstream's order: fields, keys, values, indexes; numbers by value. Parses every element only once,
 * because there may be very many. Upstream: structured-merge-diff `PathElement.Compare`.
 */
export function sortElements(elements: Iterable<PathElement>): PathElement[] {
  const plain = [...elements];
  if (plain.length < 2) return plain;
  if (plain.every(isField) || plain.every(isPlainKey)) return sortUtf8(plain);
  return plain
    .map(sortable)
    .sort(compareSortable)
    .map(({ text }) => text);
}

/** {@link sortElements} in steps. */
export function* sortElementsInSteps(elements: Iterable<PathElement>): Steps<readonly PathElement[]> {
  const steps: SortableStep[] = [];
  for (const element of elements) {
    steps.push(sortable(element));
    if (steps.length % ELEMENTS_PER_STEP === 0) yield;
  }
  return (yield* sortedInSteps(steps, compareSortable)).map(({ text }) => text);
}

const isField = (element: PathElement): boolean => element.startsWith('f');

/** Such keys sort as texts, because all their characters sort after the quotation mark. */
const isPlainKey = (element: PathElement): boolean => plainKey.test(element);

/** A path element, and its parsed content if that is JSON. */
interface SortableStep {
  readonly text: PathElement;
  readonly value: JsonValue;
  readonly keys: readonly (readonly [string, JsonValue])[];
}

function sortable(text: PathElement): SortableStep {
  const [, name, key] = plainKey.exec(text) ?? [];
  if (name !== undefined && key !== undefined) return { text, value: null, keys: [[name, key]] };
  const isJson = text.startsWith('k') || text.startsWith('v');
  const value = isJson ? readJson(text) : null;
  return { text, value, keys: text.startsWith('k') && isObject(value) ? keyFields(value) : [] };
}

function compareSortable(a: SortableStep, b: SortableStep): number {
  const kind = a.text.charAt(0);
  const kinds = 'fkvi'.indexOf(kind) - 'fkvi'.indexOf(b.text.charAt(0));
  if (kinds !== 0) return kinds;
  switch (kind) {
    case 'k':
      return compareKeys(a.keys, b.keys);
    case 'v':
      return compareValues(a.value, b.value);
    case 'i':
      return Number(a.text.slice(2)) - Number(b.text.slice(2));
    default:
      return compareUtf8(a.text, b.text);
  }
}

/** One key without characters that JSON escapes: canonical as it is. */
const plainKey = /^k:\{"([A-Za-z0-9_./-]+)":"([A-Za-z0-9_./-]*)"\}$/;

/** JSON.parse is exact for integers of fewer digits. */
const manyDigits = /[0-9]{16}/;

/** The JSON of a key or value element, with exact 64-bit integers. */
export function valueOf(element: PathElement): JsonValue {
  const json = element.slice(2);
  return manyDigits.test(json) ? parseJson(json).value : (JSON.parse(json) as JsonValue);
}

function readJson(text: string): JsonValue {
  try {
    return valueOf(text);
  } catch (error) {
    throw new PathElementError(`not JSON: ${text}`, { cause: error });
  }
}

/** Rejects values that cannot be encoded again: infinite numbers, and nesting too deep to walk. */
function checked(value: JsonValue, text: string): JsonValue {
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
  try {
    parseJson(text.slice(2));
  } catch (error) {
    throw new PathElementError(`not JSON: ${text}`, { cause: error });
  }
  return value;
}

function keyFields(keys: JsonObject): [string, JsonValue][] {
  return Object.entries(keys).map(([name, value]) => [name, value ?? null]);
}

function compareKeys(left: SortableStep['keys'], right: SortableStep['keys']): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareUtf8(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const kindOrder = ['number', 'string', 'boolean', 'object'];

const isNumber = (value: JsonValue): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
const kindOf = (value: JsonValue): number => kindOrder.indexOf(isNumber(value) ? 'number' : typeof value);

function compareValues(a: JsonValue, b: JsonValue): number {
  const kinds = kindOf(a) - kindOf(b);
  if (kinds !== 0) return kinds;
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : Number(a > b);
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return compareUtf8(stringifyJson(a), stringifyJson(b));
}
