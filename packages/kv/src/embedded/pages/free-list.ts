import { readLong } from './page-file.js';

/** Consecutive free pages. */
export interface FreeRun {
  readonly first: number;
  readonly count: number;
}

/**
 * The runs in an entry of LMDB's free list: a count of numbers, then the numbers, each 8 bytes long. A page number
 * means one page. A negative number is the length of a run that starts at the number right after it. Zeros are
 * gaps. Undefined for a list that LMDB does not write.
 */
export function freeRuns(value: Buffer): FreeRun[] | undefined {
  if (value.length < 8) return undefined;
  const count = readLong(value, 0);
  if ((count + 1) * 8 > value.length) return undefined;
  const runs: FreeRun[] = [];
  let length: number | undefined;
  for (let index = 1; index <= count; index += 1) {
    const number = Number(value.readBigInt64LE(index * 8));
    if (number > 0) {
      runs.push({ first: number, count: length ?? 1 });
      length = undefined;
    } else if (length !== undefined) return undefined;
    else if (number < 0) length = -number;
  }
  return length === undefined ? runs : undefined;
}
