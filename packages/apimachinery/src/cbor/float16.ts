/** The bits of a number as an IEEE 754 half; undefined if a half cannot hold it exactly. */
export function toFloat16(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  // At this exponent, a half has ten fractional bits.
  const steps = size / 2 ** (exponent - 10);
  if (exponent > 15 || !Number.isInteger(steps) || steps >= 2048) return undefined;
  return sign | (steps < 1024 ? steps : ((exponent + 15) << 10) | (steps - 1024));
}

export function fromFloat16(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}
