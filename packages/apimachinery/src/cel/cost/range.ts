/** The largest number that upstream counts to; larger values saturate. */
export const UNBOUNDED = 2 ** 64;

/** From `min` to `max`, both inclusive: a size or a cost. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const UNKNOWN: Range = { min: 0, max: UNBOUNDED };
export const NOTHING: Range = { min: 0, max: 0 };

export function exactly(value: number): Range {
  return { min: value, max: value };
}

export function sum(...ranges: readonly Range[]): Range {
  return ranges.reduce(
    (left, right) => ({ min: clamp(left.min + right.min), max: clamp(left.max + right.max) }),
    NOTHING,
  );
}

export function product(left: Range, right: Range): Range {
  return { min: clamp(left.min * right.min), max: clamp(left.max * right.max) };
}

/** Rounds up to whole numbers. */
export function scaled(range: Range, factor: number): Range {
  return { min: clamp(Math.ceil(range.min * factor)), max: clamp(Math.ceil(range.max * factor)) };
}

/** The range that covers both. */
export function union(left: Range, right: Range): Range {
  return { min: Math.min(left.min, right.min), max: Math.max(left.max, right.max) };
}

function clamp(value: number): number {
  return Math.min(value, UNBOUNDED);
}
