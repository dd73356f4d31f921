import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import { Quantity } from '@binnacle/apimachinery/quantity';
import { MetricsError } from './replica-calculator.js';

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

function milliOf(text: JsonValue | undefined): bigint {
  try {
    return Quantity.parse(typeof text === 'string' ? text : String(Number(text))).milliValue();
  } catch {
    throw new MetricsError(`the metrics API returned ${JSON.stringify(text)}, which is not a quantity`);
  }
}

/** The name in a reference or in metadata. */
export function nameOf(value: JsonValue | undefined): string {
  const name = isObject(value) ? getOwn(value, 'name') : undefined;
  return typeof name === 'string' ? name : '';
}
