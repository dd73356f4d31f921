/** A party that gets a part of a sum: `target` times the fair fraction, within its bounds. */
export interface Claim {
  readonly lower: number;
  readonly upper: number;
  /** Not below `lower`. */
  readonly target: number;
}

export interface Allocation {
  readonly parts: readonly number[];
  readonly fairFraction: number;
}

/** Smaller targets count as this, so that no one divides by zero. */
const LEAST_TARGET = 0.001;

/**
 * Divides `total` so that each part is the same fraction of its target, except where a bound prevents that. A total outside
 * of the sums of the bounds is divided as the nearest of these sums. Upstream: `computeConcurrencyAllocation`.
 */
export function allocate(total: number, claims: readonly Claim[]): Allocation {
  const targets = claims.map(({ target }) => Math.max(target, LEAST_TARGET));
  const partsAt = (fraction: number): number[] =>
    claims.map(({ lower, upper }, index) => Math.max(lower, Math.min(upper, fraction * (targets[index] ?? 0))));
  const sumAt = (fraction: number): number => partsAt(fraction).reduce((sum, part) => sum + part, 0);
  // Between two neighbours of these, the sum grows linearly.
  const bends = claims
    .flatMap(({ lower, upper }, index) => [lower / (targets[index] ?? 1), upper / (targets[index] ?? 1)])
    .sort((left, right) => left - right);
  const next = firstIndex(bends.length, (index) => sumAt(bends[index] ?? 0) >= total);
  const right = bends[next] ?? bends.at(-1) ?? 0;
  const left = next === 0 ? right : (bends[next - 1] ?? right);
  const [least, most] = [sumAt(left), sumAt(right)];
  const fairFraction =
    most > least ? left + ((right - left) * (Math.min(total, most) - least)) / (most - least) : right;
  return { parts: partsAt(fairFraction), fairFraction };
}

/** The first index for which a condition holds that holds for all later ones too; `length` if none. */
function firstIndex(length: number, holds: (index: number) => boolean): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
