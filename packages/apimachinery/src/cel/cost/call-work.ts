import type { Overload } from '../overload.js';
import { isOptional, type Type, type TypeKind } from '../types.js';
import { ListValue, MapValue, OpaqueValue, type Value } from '../values.js';
import { isLongMatch } from '../library/text.js';
import { type Budget, COST_PER_STEP } from './budget.js';

/** Counts the work of a call and what it makes, before the call. */
export type CallWork = (args: readonly Value[], budget: Budget) => void;

/** Units of cost to read a character, a byte or an item. */
const READ = 0.01;

/** Overloads whose time depends on the size of no argument. The work of all others is at least to read their arguments. */
const CONSTANT: ReadonlySet<string> = new Set([
  'index_list',
  'index_map',
  'in_map',
  'size_bytes',
  'bytes_size',
  'size_list',
  'list_size',
  'size_map',
  'map_size',
  'add_list',
  'add_string',
  'list_slice',
  'list_reverse',
  'list_first',
  'list_last',
  'string_to_string',
  'bytes_to_bytes',
  '@mapInsert_map_key_value',
  'list_optindex_optional_int',
  'map_optindex_optional_value',
]);

/** The items that a call makes and upstream charges nothing for, by overload. */
const MAKES: ReadonlyMap<string, (args: readonly Value[]) => number> = new Map([
  ['optional_unwrap', sizeOfAll],
  ['optional_unwrapOpt', sizeOfAll],
  ['string_jsonpatch_escapeKey_string', (args: readonly Value[]) => sizeOfAll(args) / 4],
]);

/** Overloads that search the first argument for a pattern. Its instructions may be many more than its characters. */
const PATTERNS: ReadonlySet<string> = new Set(['matches', 'matches_string', 'string_find_string']);

/** Undefined if the time of a call does not depend on the size of its arguments. */
export function workOf({ id, signature }: Overload): CallWork | undefined {
  if (CONSTANT.has(id) || !signature.arguments.some(hasSize)) return undefined;
  if (PATTERNS.has(id)) return workOfPattern;
  const made = MAKES.get(id);
  return (args, budget) => {
    budget.work(sizeOfAll(args) * READ);
    if (made !== undefined) budget.make(made(args));
  };
}

function workOfPattern(args: readonly Value[], budget: Budget): void {
  const [text, pattern] = args;
  const isLong = typeof text === 'string' && typeof pattern === 'string' && isLongMatch(text, pattern);
  budget.work(isLong ? COST_PER_STEP : sizeOfAll(args) * READ);
}

const SIZED: ReadonlySet<TypeKind> = new Set(['string', 'bytes', 'list', 'map', 'opaque']);

function hasSize(type: Type): boolean {
  return SIZED.has(type.kind) && !isOptional(type);
}

function sizeOfAll(args: readonly Value[]): number {
  let size = 0;
  for (const value of args) size += sizeOf(value);
  return size;
}

function sizeOf(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (value instanceof ListValue || value instanceof MapValue || value instanceof OpaqueValue) return value.size;
  return 0;
}
