/**
 * How many bytes memory has grown over a run: the median of the last third minus the median of the second. The first
 * third fills caches. 0 for runs that are too short.
 */
export function growth(heaps) {
  const third = Math.floor(heaps.length / 3);
  if (third === 0) return 0;
  return median(heaps.slice(-third)) - median(heaps.slice(third, 2 * third));
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
