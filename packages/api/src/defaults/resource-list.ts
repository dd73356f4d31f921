import type { JsonObject } from '@binnacle/apimachinery/json';

const subMilli = /^([+-]?)([0-9]+)(?:([nu])|[eE]-([69]))$/;
const decimalSuffixes = ['m', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const decimalExponents = ['e-3', '', 'e3', 'e6', 'e9', 'e12', 'e15', 'e18'];

/**
 * Rounds the amounts of a resource list up (away from zero) to thousandths, the finest that the API keeps. Amounts are in
 * canonical form, as decoding leaves them, so a finer one ends in `n`, `u` or the exponent of one of these.
 *
 * Upstream: `SetDefaults_ResourceList`.
 */
export function roundUpResourceList(list: JsonObject): void {
  for (const key of Object.keys(list)) {
    const amount = list[key];
    if (typeof amount === 'string') {
      const rounded = roundUpToMilli(amount);
      if (rounded !== amount) list[key] = rounded;
    }
  }
}

/** The canonical text of a canonical quantity after rounding up to thousandths. */
export function roundUpToMilli(amount: string): string {
  const parts = subMilli.exec(amount);
  if (parts === null) return amount;
  const [, sign = '', digits = '0', suffix, exponent] = parts;
  const perMilli = suffix === 'n' || exponent === '9' ? 1_000_000n : 1_000n;
  let mantissa = (BigInt(digits) + perMilli - 1n) / perMilli;
  const units = suffix === undefined ? decimalExponents : decimalSuffixes;
  let unit = 0;
  while (mantissa !== 0n && mantissa % 1000n === 0n && unit < units.length - 1) {
    mantissa /= 1000n;
    unit += 1;
  }
  if (mantissa === 0n) return '0';
  return `${sign === '-' ? '-' : ''}${mantissa}${units[unit] ?? ''}`;
}
