/**
 * The number of indexes in a text such as `0,2-4`, or the reason why it is invalid, as a string. Upstream:
 * `validateIndexesFormat`.
 */
export function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let total = 0;
  let last: number | undefined;
  for (const interval of text.split(',')) {
    const ends = interval.split('-');
    if (ends.length > 2) {
      const rule = "the requirement that an index interval can have at most two parts separated by '-'";
      return `the fragment ${JSON.stringify(interval)} violates ${rule}`;
    }
    const indexes: number[] = [];
    for (const end of ends) {
      const index = /^[+-]?[0-9]+$/.test(end) ? Number(end) : Number.NaN;
      if (!Number.isSafeInteger(index)) return `cannot convert string to integer for index: ${JSON.stringify(end)}`;
      if (index >= completions) return `too large index: ${JSON.stringify(end)}`;
      indexes.push(index);
    }
    const [first = 0, final = first] = indexes;
    if (indexes.length > 1 && first >= final) return outOfOrder(first, final);
    if (last !== undefined && last >= first) return outOfOrder(last, first);
    total += final - first + 1;
    last = final;
  }
  return total;
}

function outOfOrder(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
