/**
 * How Go's `resource.Quantity` holds a text: an integer and a scale if both are small, else a decimal of any size. It
 * keeps the text itself only if the parser found it canonical. The hash of a template contains these fields. Upstream:
 * `resource.ParseQuantity`.
 */
export type GoQuantity =
  | { readonly format: GoFormat; readonly text: string; readonly value: bigint; readonly scale: number }
  | { readonly format: GoFormat; readonly text: ''; readonly unscaled: bigint; readonly decimals: number };

type GoFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI';

const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const binarySuffixes: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

const NANO = -9;
const MOST_DIGITS = 18;
const MAX_INT64 = 2n ** 63n - 1n;

interface Parts {
  readonly isNegative: boolean;
  /** Without leading zeros; `0` if no digit is left. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
}

export function goQuantity(text: string): GoQuantity {
  if (text === '0') return { format: 'DecimalSI', text, value: 0n, scale: 0 };
  const parts = split(text);
  const binary = binarySuffixes.get(parts.suffix);
  if (binary !== undefined) return smallBinary(text, parts, binary) ?? largeBinary(parts, binary);
  const decimal = decimalSuffixes.get(parts.suffix);
  const format = decimal === undefined ? 'DecimalExponent' : 'DecimalSI';
  const exponent = decimal ?? Number(parts.suffix.slice(1));
  return smallDecimal(text, parts, exponent, format) ?? largeDecimal(parts, exponent, format);
}

function split(text: string): Parts {
  const match = /^([+-]?)0*(\d*)(?:\.(\d*))?(.*)$/s.exec(text);
  const [, sign = '', digits = '', fraction = '', suffix = ''] = match ?? [];
  return { isNegative: sign === '-', whole: digits === '' ? '0' : digits, fraction, suffix };
}

function smallBinary(text: string, { isNegative, whole, fraction }: Parts, exponent: number): GoQuantity | undefined {
  const precision = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1;
  if (fraction !== '' || precision < 0) return undefined;
  const digits = BigInt(whole);
  const value = digits << BigInt(exponent);
  if (value > MAX_INT64) return undefined;
  const isCanonical = (digits & 7n) !== 0n;
  return { format: 'BinarySI', text: isCanonical ? text : '', value: isNegative ? -value : value, scale: 0 };
}

function smallDecimal(
  text: string,
  { isNegative, whole, fraction }: Parts,
  exponent: number,
  format: GoFormat,
): GoQuantity | undefined {
  const digits = whole + fraction;
  const scale = exponent - fraction.length;
  if (digits.length > MOST_DIGITS || scale < NANO) return undefined;
  const value = BigInt(digits);
  const isCanonical = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return { format, text: isCanonical ? text : '', value: isNegative ? -value : value, scale };
}

function largeBinary({ isNegative, whole, fraction }: Parts, exponent: number): GoQuantity {
  const unscaled = BigInt(whole + fraction) << BigInt(exponent);
  const decimals = fraction.length;
  const capped = unscaled > MAX_INT64 * 10n ** BigInt(decimals) ? { unscaled: MAX_INT64, decimals: 0 } : undefined;
  const { unscaled: amount, decimals: places } = capped ?? roundedUp(unscaled, decimals);
  const isFraction = amount > 0n && amount < 10n ** BigInt(Math.max(places, 0));
  return {
    format: isFraction ? 'DecimalSI' : 'BinarySI',
    text: '',
    unscaled: isNegative ? -amount : amount,
    decimals: places,
  };
}

function largeDecimal({ isNegative, whole, fraction }: Parts, exponent: number, format: GoFormat): GoQuantity {
  const { unscaled, decimals } = roundedUp(BigInt(whole + fraction), fraction.length - exponent);
  return { format, text: '', unscaled: isNegative ? -unscaled : unscaled, decimals };
}

/** Rounds up to nine decimals, and gives every number but 0 exactly nine. */
function roundedUp(unscaled: bigint, decimals: number): { readonly unscaled: bigint; readonly decimals: number } {
  if (unscaled === 0n) return { unscaled, decimals };
  const places = -NANO;
  if (decimals <= places) return { unscaled: unscaled * 10n ** BigInt(places - decimals), decimals: places };
  const divisor = 10n ** BigInt(decimals - places);
  return { unscaled: (unscaled + divisor - 1n) / divisor, decimals: places };
}
