/**
 * Resolves a count, or a percentage of `total`, to a number. A malformed text is 0; validation refuses it. Upstream:
 * `intstr.GetScaledValueFromIntOrPercent`.
 */
export function scaledValue(value: number | string | undefined, total: number, rounding: 'up' | 'down'): number {
  if (value === undefined || typeof value === 'number') return value ?? 0;
  const percent = /^([+-]?\d+)%$/.exec(value)?.[1];
  if (percent === undefined) return 0;
  const exact = (Number(percent) * total) / 100;
  return rounding === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
