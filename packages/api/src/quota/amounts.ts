import { Quantity } from '@binnacle/apimachinery/quantity';

/** Quantities by the name of their resource: `cpu`, `requests.storage`, `count/configmaps`. Upstream: `v1.ResourceList`. */
export type Amounts = ReadonlyMap<string, Quantity>;

/** The same, as objects store them. */
export type AmountTexts = Readonly<Record<string, string>>;

export function amountsOf(texts: AmountTexts | undefined): Map<string, Quantity> {
  return new Map(Object.entries(texts ?? {}).map(([name, text]) => [name, Quantity.parse(text)]));
}

export function textsOf(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
}

/** The sum for every name in either map. */
export function sumOf(a: Amounts, b: Amounts): Map<string, Quantity> {
  return merge(a, b, (one, other) => one.add(other));
}

/** The maximum for every name in either map. */
export function maximumOf(a: Amounts, b: Amounts): Map<string, Quantity> {
  return merge(a, b, (one, other) => (one.compare(other) > 0 ? one : other));
}

/** The difference for every name of which `a` has more than `b`; other names are left out. */
export function excessOf(a: Amounts, b: Amounts): Map<string, Quantity> {
  const excess = new Map<string, Quantity>();
  for (const [name, amount] of a) {
    const other = b.get(name);
    const rest = other === undefined ? amount : amount.subtract(other);
    if (rest.sign > 0) excess.set(name, rest);
  }
  return excess;
}

function merge(a: Amounts, b: Amounts, combine: (one: Quantity, other: Quantity) => Quantity): Map<string, Quantity> {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const present = result.get(name);
    result.set(name, present === undefined ? amount : combine(present, amount));
  }
  return result;
}
