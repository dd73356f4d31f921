import type { JsonObject } from '@binnacle/apimachinery/json';
import { Quantity } from '@binnacle/apimachinery/quantity';

/** Canonical amounts with parts below thousandths: in `n`, `u` or the exponent of one of these. */
const finerThanMilli = /(?:[nu]|[eE]-(?:[4-9]|[1-9][0-9]))$/;

/**
 * Rounds the amounts of a resource list up (away from zero) to thousandths, the finest that the API keeps. Amounts are in
 * canonical form, as decoding leaves them.
 *
 * Upstream: `SetDefaults_ResourceList`.
 */
export function roundUpResourceList(list: JsonObject): void {
  for (const key of Object.keys(list)) {
    const amount = list[key];
    if (typeof amount === 'string' && finerThanMilli.test(amount)) list[key] = roundUpToMilli(amount);
  }
}

/** The canonical text of a canonical amount after rounding. */
export function roundUpToMilli(amount: string): string {
  if (!finerThanMilli.test(amount)) return amount;
  const quantity = Quantity.parse(amount);
  return Quantity.ofMilli(quantity.milliValue(), quantity.format).toString();
}
