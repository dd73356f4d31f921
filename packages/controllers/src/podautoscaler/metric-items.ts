import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { Quantity, QuantityError } from '@binnacle/apimachinery/quantity';
import { MetricsError } from './replica-calculator.js';

/** Characters. Digits take quadratic time, and messages go to conditions and events. */
const LONGEST_QUANTITY = 1000;

/** The usage of a pod, or of its container of this name, in thousandths. Undefined if it has none. */
export function usageOf(item: JsonObject, resource: string, container: string | undefined): bigint | undefined {
  const all = item['containers'];
  const containers = Array.isArray(all) ? all.filter(isObject) : [];
  const wanted = container === undefined ? containers : containers.filter(({ name }) => name === container).slice(0, 1);
  if (wanted.length === 0) return undefined;
  let sum = 0n;
  for (const { usage } of wanted) {
    const text = isObject(usage) ? getOwn(usage, resource) : undefined;
    if (text === undefined) return undefined;
    sum += milliOf(text);
  }
  return sum;
}

/** In thousandths. */
export function valueOf(item: JsonObject): bigint {
  return milliOf(item['value']);
}

function milliOf(value: JsonValue | undefined): bigint {
  const text = typeof value === 'string' ? value : String(Number(value));
  try {
    if (text.length <= LONGEST_QUANTITY) return Quantity.parse(text).milliValue();
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
  }
  const shown = JSON.stringify(value)?.slice(0, LONGEST_QUANTITY);
  throw new MetricsError(`the metrics API returned ${shown}, which is not a quantity`);
}

/** The name in a reference or in metadata. */
export function nameOf(value: JsonValue | undefined): string {
  const name = isObject(value) ? getOwn(value, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}
