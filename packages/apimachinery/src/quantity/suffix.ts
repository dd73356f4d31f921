/** The suffix family in which a quantity was written and is written back. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const byText: ReadonlyMap<string, Suffix> = new Map([
  ...decimal.map((text, index): [string, Suffix] => [text, { base: 10, exponent: index * 3 - 9, format: 'DecimalSI' }]),
  ...binary
    .slice(1)
    .map((text, index): [string, Suffix] => [text, { base: 2, exponent: index * 10 + 10, format: 'BinarySI' }]),
]);

/** Undefined for an unknown suffix. Exponents wrap at 32 bits, like upstream. */
export function parseSuffix(text: string): Suffix | undefined {
  const known = byText.get(text);
  if (known !== undefined) return known;
  const digits = /^[eE]([+-]?[0-9]+)$/.exec(text)?.[1];
  if (digits === undefined || digits.length > 20) return undefined;
  const exponent = BigInt(digits.replace('+', ''));
  if (BigInt.asIntN(64, exponent) !== exponent) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}

/** The suffix of a power of ten that is a multiple of three. Upstream has no suffix above `E` and prints none. */
export function decimalSuffix(exponent: number, format: QuantityFormat): string {
  if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`;
  return decimal[exponent / 3 + 3] ?? '';
}

/** The suffix of a power of 1024. */
export function binarySuffix(power: number): string {
  return binary[power] ?? '';
}
