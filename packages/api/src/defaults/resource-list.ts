import type { JsonObject } from '@binnacle/apimachinery/json';
import { Quantity } from '@binnacle/apimachinery/quantity';

/** Canonical amounts finer than thousandths: suffix `n` or `u`, or an exponent below -3. */
const finerThanMilli = /(?:[nu]|[eE]-(?:[4-9]|[1-9][0-9]))$/;

/**
 * Rounds the amounts of a resource list up (away from zero) to thousandths, the finest unit that the API keeps. Amounts
 * must be in canonical form, as decoding leaves them.
 *
 * Upstream: `SetDefaults_ResourceList`.
 */
export function roundUpResourceList(list: JsonObject): void {
  for (const key of Object.keys(list)) {
    const amount = list[key];
    if (typeof amount === 'string' && finerThanMilli.test(amount)) list[key] = roundUpToMilli(amount);
  }
}

/** Rounds a canonical amount and returns the result in canonical form. */
export function roundUpToMilli(amount: string): string {
  if (!finerThanMilli.test(amount)) return amount;
  const quantity = Quantity.parse(amount);
  return Quantity.ofMilli(quantity.milliValue(), quantity.format).toString();
}
