import { type JsonObject, keysInSteps } from '@binnacle/apimachinery/json';
import { Quantity } from '@binnacle/apimachinery/quantity';
import { Pace, type Steps } from '@binnacle/apimachinery/work';

/** Canonical amounts finer than thousandths: suffix `n` or `u`, or an exponent below -3. */
const finerThanMilli = /(?:[nu]|[eE]-(?:[4-9]|[1-9][0-9]))$/;

/**
 * Rounds the amounts of a resource list up (away from zero) to thousandths, the finest unit that the API keeps. Amounts
 * must be in canonical form, as decoding leaves them. Takes a step for every thousand amounts.
 *
 * Upstream: `SetDefaults_ResourceList`.
 */
export function* roundUpResourceList(list: JsonObject): Steps<void> {
  const pace = new Pace(1000);
  for (const key of yield* keysInSteps(list)) {
    const amount = list[key];
    if (typeof amount === 'string' && finerThanMilli.test(amount)) list[key] = roundUpToMilli(amount);
    if (pace.endsStep()) yield;
  }
}

/** Rounds a canonical amount and returns the result in canonical form. */
export function roundUpToMilli(amount: string): string {
  if (!finerThanMilli.test(amount)) return amount;
  const quantity = Quantity.parse(amount);
  return Quantity.ofMilli(quantity.milliValue(), quantity.format).toString();
}
