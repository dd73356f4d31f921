import type { Overload } from '../overload.js';
import { ListValue, MapValue, type Value } from '../values.js';

type Work = (args: readonly Value[], result: Value) => number;

const ofText: Work = ([text = null]) => sizeOf(text) * 0.001;
const ofResult: Work = (_args, result) => sizeOf(result) * 0.1;

/** By overload id: functions that upstream charges 1 for, although their time depends on their arguments. */
const OVERLOADS: ReadonlyMap<string, Work> = new Map([
  ['size_string', ofText],
  ['string_size', ofText],
  ['string_char_at_int', ofText],
  ['list_flatten', ofResult],
  ['list_flatten_int', ofResult],
  ['optional_unwrap', ofResult],
  ['optional_unwrapOpt', ofResult],
]);

/** The work of a call beyond its cost, in units of cost. Undefined for most functions. */
export function uncharged({ id }: Overload): Work | undefined {
  return OVERLOADS.get(id);
}

function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  return value instanceof ListValue || value instanceof MapValue ? value.size : 1;
}
