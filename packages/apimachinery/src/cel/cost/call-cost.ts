import type { Overload } from '../overload.js';
import { ListValue, MapValue, OptionalValue, type Value } from '../values.js';
import { CidrValue, IpValue } from '../library/network.js';
import { FormatValue } from '../library/formats.js';
import { LIST_COST, STRUCT_COST } from './budget.js';

/** The cost of scanning one character of a text. Upstream: cel-go `common/cost.go`. */
export const CHARACTER = 0.1;
/**
 * Each character of a pattern multiplies the cost of its text by this factor, as if a subexpression had four characters.
 */
export const PATTERN_CHARACTER = 0.25;

type Cost = (args: readonly Value[]) => number;

const traversal =
  (times: number): Cost =>
  ([text = null]) =>
    Math.ceil(sizeOf(text) * times * CHARACTER);
const shorter: Cost = ([left = null, right = null]) => Math.ceil(Math.min(sizeOf(left), sizeOf(right)) * CHARACTER);
const both: Cost = ([left = null, right = null]) => Math.ceil((sizeOf(left) + sizeOf(right)) * CHARACTER);
const elements: Cost = ([values = null]) => treeCost(values);
const pattern: Cost = ([text = null, expression = null]) => patternCost(sizeOf(text), sizeOf(expression));
const selector: Cost = ([, text = null]) => {
  const size = sizeOf(text);
  // A requirement takes at least two characters, and makes an object and a list.
  return LIST_COST + Math.ceil(size * CHARACTER) + Math.ceil(size * 0.5) * (LIST_COST + STRUCT_COST);
};
const sets =
  (times: number): Cost =>
  ([left = null, right = null]) =>
    1 + Math.floor(sizeOf(left) * sizeOf(right) * times);

/**
 * By overload. All others cost 1, because their time does not depend on their arguments. Upstream: cel-go
 * `interpreter/runtimecost.go`, `ext/lists.go`, `ext/sets.go`.
 */
const OVERLOADS: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ['starts_with_string', traversal(1)],
  ['ends_with_string', traversal(1)],
  ['string_to_bytes', traversal(1)],
  ['bytes_to_string', traversal(1)],
  ['strings_quote', traversal(1)],
  ['string_format', traversal(1)],
  ['in_list', ([, values = null]) => sizeOf(values)],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((order): [string, Cost][] => [
    [`${order}_string`, shorter],
    [`${order}_bytes`, shorter],
  ]),
  ['equals', equality],
  ['not_equals', equality],
  ['add_string', both],
  ['add_bytes', both],
  ['matches', pattern],
  ['matches_string', pattern],
  [
    'contains_string',
    ([text = null, part = null]) => Math.ceil(sizeOf(text) * CHARACTER) * Math.ceil(sizeOf(part) * CHARACTER),
  ],
  ['list_slice', ([, start = null, end = null]) => 1 + LIST_COST + Math.max(0, Number(end) - Number(start))],
  ['lists_range', ([count = null]) => 1 + LIST_COST + Math.max(0, Number(count))],
  ['list_reverse', ([values = null]) => 1 + LIST_COST + sizeOf(values)],
  ['list_flatten', ([values = null]) => 1 + LIST_COST + sizeOf(values)],
  ['list_flatten_int', ([values = null, depth = null]) => 1 + LIST_COST + sizeOf(values) * Math.max(0, Number(depth))],
  ['list_distinct', ([values = null]) => comparisonsOf(values)],
  ['list_sets_contains_list', sets(1)],
  ['list_sets_intersects_list', sets(1)],
  ['list_sets_equivalent_list', sets(2)],
]);

/** By function, for all overloads. Upstream: apiserver `pkg/cel/library/cost.go`. */
const FUNCTIONS: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, Cost] => [name, elements]),
  ...[
    'url',
    'isURL',
    'lowerAscii',
    'upperAscii',
    'substring',
    'trim',
    'cidr',
    'isIP',
    'isCIDR',
    'quantity',
    'isQuantity',
    'semver',
    'isSemver',
  ].map((name): [string, Cost] => [name, traversal(1)]),
  ['ip', ([value = null]) => (value instanceof CidrValue ? 1 : traversal(1)([value]))],
  ['ip.isCanonical', traversal(2)],
  ['replace', traversal(2)],
  ['split', traversal(2)],
  ['join', ([values = null, separator = '']) => Math.ceil(joinedSize(values, separator) * 2 * CHARACTER)],
  ['find', pattern],
  ['findAll', pattern],
  ['containsIP', ([outer = null, inner = null]) => containment(outer, inner)],
  [
    'containsCIDR',
    ([outer = null, inner = null]) => containment(outer, inner) + Math.ceil(sizeOf(outer) * CHARACTER) + 1,
  ],
  [
    'validate',
    ([format = null, text = null]) =>
      patternCost(sizeOf(text), format instanceof FormatValue ? format.patternLength : 0),
  ],
  // At most two authorization checks fit in the limit of one expression.
  ['check', () => 350_000],
  ['fieldSelector', selector],
  ['labelSelector', selector],
  ['sort', ([values = null]) => comparisonsOf(values)],
  ['@sortByAssociatedKeys', ([, keys = null]) => comparisonsOf(keys)],
]);

const one: Cost = () => 1;

/** The cost of a call by its arguments, computed before the call so that none exceeds the budget. */
export function costOf({ id, name }: Overload): Cost {
  return OVERLOADS.get(id) ?? FUNCTIONS.get(name) ?? one;
}

/** Characters, bytes, elements or entries; 1 for values without a size. */
function sizeOf(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof IpValue) return value.address.bytes.length;
  if (value instanceof CidrValue) return Math.ceil(value.prefix.length / 8);
  return value instanceof OptionalValue && value.value !== undefined ? sizeOf(value.value) : 1;
}

/** Scalars and library values cost 1. */
function equality(args: readonly Value[]): number {
  return args.some((value) => value instanceof IpValue || value instanceof CidrValue) ? 1 : shorter(args);
}

function patternCost(text: number, expression: number): number {
  return Math.ceil((1 + text) * CHARACTER) * Math.ceil(expression * PATTERN_CHARACTER);
}

function containment(outer: Value, inner: Value): number {
  const parse = typeof inner === 'string' ? Math.ceil(inner.length * CHARACTER) : 0;
  return Math.ceil(sizeOf(outer) * 2 * CHARACTER) + parse;
}

/** Compares every element with every other. */
function comparisonsOf(values: Value): number {
  const first = values instanceof ListValue && values.size > 0 ? values.at(0) : null;
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + CHARACTER : 2;
  return 1 + LIST_COST + Math.floor(sizeOf(values) ** 2 * factor);
}

function joinedSize(values: Value, separator: Value): number {
  if (!(values instanceof ListValue)) return 1;
  if (values.size > LARGEST_TREE) return LARGEST_TREE / CHARACTER;
  let size = Math.max(0, values.size - 1) * sizeOf(separator);
  for (let index = 0; index < values.size; index++) size += sizeOf(values.at(index));
  return size;
}

/** More than any expression may cost. A list that repeats shared lists holds more than can be counted. */
const LARGEST_TREE = 4_000_000;

/** The cost of visiting a value and everything in it. */
function treeCost(value: Value): number {
  const tree = { cost: 0, left: LARGEST_TREE };
  addTree(value, tree);
  return tree.left < 0 ? LARGEST_TREE : tree.cost;
}

function addTree(value: Value, tree: { cost: number; left: number }): void {
  if (--tree.left < 0) return;
  if (typeof value === 'string' || value instanceof Uint8Array) tree.cost += Math.floor(value.length * CHARACTER);
  else if (value instanceof ListValue) {
    if (value.size > tree.left) tree.left = -1;
    for (let index = 0; index < value.size && tree.left >= 0; index++) addTree(value.at(index), tree);
  } else if (value instanceof MapValue) {
    for (const key of value.keys()) {
      if (tree.left < 0) break;
      addTree(key, tree);
      addTree(value.get(key) ?? null, tree);
    }
  } else tree.cost++;
}
