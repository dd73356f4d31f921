import type { Expression } from '../syntax-tree.js';
import { isOptional, parameterOf, sameType, type Type } from '../types.js';
import { LIST_COST } from './budget.js';
import { CHARACTER, PATTERN_CHARACTER } from './call-cost.js';
import { exactly, NOTHING, product, type Range, scaled, sum, UNBOUNDED, union } from './range.js';

/** An argument in an estimate. The target is the first. */
export interface EstimatedArgument {
  readonly node: Expression;
  readonly type: Type;
  readonly size: Range;
  /** The size of an element, if the source of the list gives one. */
  readonly elementSize: Range;
}

/** The cost of a call without its arguments, and the size of its result if known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range | undefined;
}

type Estimate = (args: readonly EstimatedArgument[]) => CallEstimate;

const ONE: CallEstimate = { cost: exactly(1) };
const MAX_NAME_FORMAT_PATTERN = 128;

/** Upstream: cel-go `checker/cost.go`, `ext/lists.go`, `ext/sets.go`. */
const OVERLOADS: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['string_format', ([text]) => ({ cost: scaled(sizeOf(text), CHARACTER) })],
  [
    'string_to_bytes',
    ([text]) => ({ cost: scaled(sizeOf(text), CHARACTER), size: { min: sizeOf(text).min, max: sizeOf(text).max * 4 } }),
  ],
  [
    'bytes_to_string',
    ([bytes]) => ({
      cost: scaled(sizeOf(bytes), CHARACTER),
      size: { min: Math.floor(sizeOf(bytes).min / 4), max: sizeOf(bytes).max },
    }),
  ],
  [
    'strings_quote',
    ([text]) => ({
      cost: scaled(sizeOf(text), CHARACTER),
      size: { min: sizeOf(text).min + 2, max: sizeOf(text).max * 2 + 2 },
    }),
  ],
  ['starts_with_string', ([, part]) => ({ cost: scaled(sizeOf(part), CHARACTER) })],
  ['ends_with_string', ([, part]) => ({ cost: scaled(sizeOf(part), CHARACTER) })],
  ['in_list', ([, values]) => ({ cost: sizeOf(values) })],
  ['matches_string', ([text, pattern]) => ({ cost: patternCost(sizeOf(text), sizeOf(pattern)) })],
  [
    'contains_string',
    ([text, part]) => ({ cost: product(scaled(sizeOf(text), CHARACTER), scaled(sizeOf(part), CHARACTER)) }),
  ],
  ['add_string', concatenation(CHARACTER)],
  ['add_bytes', concatenation(CHARACTER)],
  ['add_list', ([left, right]) => ({ cost: exactly(1), size: sum(sizeOf(left), sizeOf(right)) })],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((order): [string, Estimate][] => [
    [`${order}_string`, comparison],
    [`${order}_bytes`, comparison],
  ]),
  ['equals', equality],
  ['not_equals', comparison],
  [
    'list_slice',
    ([values, start, end]) =>
      allocation(1, exactly(Math.max(0, literalInt(end, sizeOf(values).max) - literalInt(start, 0)))),
  ],
  ['lists_range', ([count]) => allocation(1, exactly(literalInt(count, UNBOUNDED)))],
  ['list_reverse', ([values]) => allocation(1, sizeOf(values))],
  ['list_flatten', ([values]) => allocation(1, sizeOf(values))],
  ['list_flatten_int', ([values, depth]) => allocation(literalInt(depth, UNBOUNDED), sizeOf(values))],
  ['list_distinct', ([values]) => allocation(2, product(sizeOf(values), sizeOf(values)))],
  ['list_sets_contains_list', sets(1)],
  ['list_sets_intersects_list', sets(1)],
  ['list_sets_equivalent_list', sets(2)],
]);

/** Upstream: apiserver `pkg/cel/library/cost.go`. */
const FUNCTIONS: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name): [string, Estimate] => [name, traversal]),
  ...['url', 'lowerAscii', 'upperAscii', 'substring', 'trim'].map((name): [string, Estimate] => [
    name,
    ([text]) => ({ cost: scaled(sizeOf(text), CHARACTER), size: sizeOf(text) }),
  ]),
  ...['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map((name): [string, Estimate] => [
    name,
    ([text]) => ({ cost: scaled(sizeOf(text), CHARACTER) }),
  ]),
  ['ip', ([value]) => (value?.type.kind === 'opaque' ? ONE : { cost: scaled(sizeOf(value), CHARACTER) })],
  ['ip.isCanonical', ([text]) => ({ cost: scaled(sizeOf(text), 2 * CHARACTER) })],
  ['replace', replacement],
  [
    'split',
    ([text, , limit]) => ({
      cost: scaled(sizeOf(text), 2 * CHARACTER),
      size: { min: 0, max: literalInt(limit, sizeOf(text).max) },
    }),
  ],
  ['join', joining],
  ['find', search],
  ['findAll', search],
  ['containsIP', ([, inner]) => ({ cost: containment(inner) })],
  ['containsCIDR', ([, inner]) => ({ cost: sum(containment(inner), scaled(ADDRESS, CHARACTER), exactly(1)) })],
  [
    'validate',
    ([, text]) => ({ cost: scaled(scaled(sizeOf(text), CHARACTER), MAX_NAME_FORMAT_PATTERN * PATTERN_CHARACTER) }),
  ],
  ['sort', ([values]) => sorting(values, values)],
  ['@sortByAssociatedKeys', ([, keys]) => sorting(keys, keys)],
]);

/** The bytes of an address of either family. */
const ADDRESS: Range = { min: 4, max: 16 };

/** Estimates a call of an overload. The default cost is 1. */
export function estimateCall(name: string, id: string, args: readonly EstimatedArgument[]): CallEstimate {
  return (OVERLOADS.get(id) ?? FUNCTIONS.get(name))?.(args) ?? ONE;
}

function sizeOf(argument: EstimatedArgument | undefined): Range {
  return argument?.size ?? NOTHING;
}

function concatenation(factor: number): Estimate {
  return ([left, right]) => {
    const size = sum(sizeOf(left), sizeOf(right));
    return { cost: scaled(size, factor), size };
  };
}

function patternCost(text: Range, pattern: Range): Range {
  return product(scaled(sum(text, exactly(1)), CHARACTER), scaled(pattern, PATTERN_CHARACTER));
}

function comparison([left, right]: readonly EstimatedArgument[]): CallEstimate {
  const max = Math.min(sizeOf(left).max, sizeOf(right).max);
  return { cost: scaled({ min: max > 0 ? 1 : 0, max }, CHARACTER) };
}

function equality(args: readonly EstimatedArgument[]): CallEstimate {
  const [left, right] = args;
  // An optional is as large as its content.
  const areOpaque = left?.type.kind === 'opaque' && !isOptional(left.type);
  return areOpaque && right !== undefined && sameType(left.type, right.type) ? ONE : comparison(args);
}

function sets(factor: number): Estimate {
  return ([left, right]) => ({ cost: sum(scaled(product(sizeOf(left), sizeOf(right)), factor), exactly(1)) });
}

function allocation(factor: number, size: Range): CallEstimate {
  return { cost: sum(scaled(size, factor), exactly(1 + LIST_COST)), size };
}

function sorting(values: EstimatedArgument | undefined, keys: EstimatedArgument | undefined): CallEstimate {
  const factor = 2 + (isText(keys && parameterOf(keys.type, 0)) ? CHARACTER : 0);
  return allocation(factor, product(sizeOf(values), sizeOf(values)));
}

function isText(type: Type | undefined): boolean {
  return type?.kind === 'string' || type?.kind === 'bytes';
}

/** A list by its elements, a text by its characters. */
function traversal([values]: readonly EstimatedArgument[]): CallEstimate {
  if (values?.type.kind !== 'list') return { cost: scaled(sizeOf(values), CHARACTER) };
  const element = isText(parameterOf(values.type, 0)) ? scaled(values.elementSize, CHARACTER) : NOTHING;
  return { cost: product(values.size, sum(exactly(1), element)) };
}

function search([text, pattern]: readonly EstimatedArgument[]): CallEstimate {
  return { cost: patternCost(sizeOf(text), sizeOf(pattern)), size: { min: 0, max: sizeOf(text).max } };
}

function containment(inner: EstimatedArgument | undefined): Range {
  const compared = scaled(sum(ADDRESS, ADDRESS), CHARACTER);
  return inner?.type.kind === 'string' ? sum(compared, scaled(inner.size, CHARACTER)) : compared;
}

function joining([values, separator]: readonly EstimatedArgument[]): CallEstimate {
  const count = sizeOf(values);
  const separators = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  const size = sum(product(count, values?.elementSize ?? NOTHING), product(sizeOf(separator), separators));
  return { cost: scaled(size, CHARACTER), size };
}

/**
 * The result is longest if the shortest part is replaced by the longest as often as possible, and shortest in the
 * opposite case.
 */
function replacement([text, old, next]: readonly EstimatedArgument[]): CallEstimate {
  const [all, part, other] = [sizeOf(text), sizeOf(old), sizeOf(next)];
  const longest =
    part.min === 0
      ? (all.max + 1) * other.max + all.max
      : other.max <= part.min
        ? all.max
        : Math.ceil(all.max / part.min) * other.max;
  const shortest =
    part.max === 0
      ? (all.min + 1) * other.min + all.min
      : part.max <= other.min
        ? all.min
        : Math.ceil(all.min / part.max) * other.min;
  return { cost: scaled(all, 2 * CHARACTER), size: scaled({ min: shortest, max: longest }, 1) };
}

function literalInt(argument: EstimatedArgument | undefined, otherwise: number): number {
  const { node } = argument ?? {};
  if (node?.kind !== 'literal' || node.value.type !== 'int') return otherwise;
  return Math.max(0, Number(node.value.value));
}

/** The estimate when any of several overloads may run. */
export function eitherOf(estimates: readonly CallEstimate[]): CallEstimate {
  const [first = ONE, ...rest] = estimates;
  return rest.reduce<CallEstimate>(
    (known, next) => ({
      cost: union(known.cost, next.cost),
      size:
        known.size === undefined || next.size === undefined ? (known.size ?? next.size) : union(known.size, next.size),
    }),
    first,
  );
}
