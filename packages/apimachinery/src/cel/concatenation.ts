import { ListValue, type Value } from './values.js';

/** The items of several lists, which it shares. Reading it in order takes constant time an item. */
export function concatenation(parts: readonly ListValue[]): ListValue {
  const filled = parts.filter(({ size }) => size > 0);
  /** Where each part ends. */
  const ends: number[] = [];
  for (const { size } of filled) ends.push((ends.at(-1) ?? 0) + size);
  let current = 0;
  const at = (index: number): Value => {
    const isCurrent = (part: number): boolean => index < (ends[part] ?? 0) && index >= (ends[part - 1] ?? 0);
    if (!isCurrent(current)) current = isCurrent(current + 1) ? current + 1 : partOf(index, ends);
    return filled[current]?.at(index - (ends[current - 1] ?? 0)) ?? null;
  };
  return new ListValue({ size: ends.at(-1) ?? 0, at });
}

/** The first part that ends after an index. */
function partOf(index: number, ends: readonly number[]): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (index < (ends[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
