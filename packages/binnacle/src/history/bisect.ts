/**
 * The first bad revision after `good` and up to `bad`, if all revisions before it are good and all after it are bad. Tries as
 * many as the binary logarithm of their number.
 */
export async function firstBad(
  good: number,
  bad: number,
  isGood: (revision: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [good, bad];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isGood(middle)) low = middle;
    else high = middle;
  }
  return high;
}
