/** A range in etcd: from a key up to, but excluding, an end. */
export interface KeyRange {
  readonly key: Buffer;
  readonly rangeEnd: Buffer;
}

/** As `key`: the least one; as `rangeEnd`: no end. */
const ZERO = Buffer.from([0]);

/** All keys with `prefix`, which is well-formed text. */
export function prefixRange(prefix: string): KeyRange {
  if (prefix === '') return { key: ZERO, rangeEnd: ZERO };
  const key = Buffer.from(prefix);
  const rangeEnd = Buffer.from(key);
  // No byte of UTF-8 is 0xff, so incrementing the last one never carries.
  const last = rangeEnd.length - 1;
  rangeEnd[last] = (rangeEnd[last] ?? 0) + 1;
  return { key, rangeEnd };
}

/** The rest of a range from `start` on; undefined if `start` is after its end. */
export function rangeFrom(range: KeyRange, start: Buffer): KeyRange | undefined {
  if (Buffer.compare(start, range.key) <= 0) return range;
  if (!range.rangeEnd.equals(ZERO) && Buffer.compare(start, range.rangeEnd) >= 0) return undefined;
  return { key: start, rangeEnd: range.rangeEnd };
}

/** The least key after this one. */
export function keyAfter(key: string): Buffer {
  return Buffer.concat([Buffer.from(key), ZERO]);
}
