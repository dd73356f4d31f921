import { parseSuffix, type QuantityFormat, type Suffix } from './suffix.js';

export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongNumber = 'unable to parse numeric part of quantity';
const wrongSuffix = "unable to parse quantity's suffix";

/** Far longer than any real quantity, and short enough for cheap exact arithmetic. */
const MAX_LENGTH = 1024;

const INT64_MAX = 2n ** 63n - 1n;
const NANO = -9;

/** The value is `unscaled * 10^exponent`. */
export interface ParsedQuantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** Whether upstream holds the value in 64 bits, and not as a decimal of any length. */
  readonly isShort: boolean;
  /** The text to write back; undefined if it must be computed. */
  readonly text: string | undefined;
}

// Upstream's scanner skips leading zeros before anything else. No digit can belong to two groups, so a text is read in linear time.
const parts = /^([+-]?)0*(?!0)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

/** Throws {@link QuantityError}. Upstream: apimachinery `resource.ParseQuantity`. */
export function parseText(text: string): ParsedQuantity {
  if (text === '') throw new QuantityError(wrongFormat);
  if (text.length > MAX_LENGTH) throw new QuantityError(wrongNumber);
  if (text === '0') return { unscaled: 0n, exponent: 0, format: 'DecimalSI', isShort: true, text };
  const match = parts.exec(text);
  if (match === null) throw new QuantityError(wrongFormat);
  const [, sign, digits = '', fraction = '', suffixText = ''] = match;
  const whole = digits === '' ? '0' : digits;
  const suffix = parseSuffix(suffixText);
  if (suffix === undefined) throw new QuantityError(wrongSuffix);
  const short = parseShort(text, sign === '-', whole, fraction, suffix);
  if (short !== undefined) return short;
  const number = text.slice(0, text.length - suffixText.length);
  if (!/[0-9]/.test(number)) throw new QuantityError(wrongNumber);
  return parseLong(sign === '-', whole + fraction, fraction.length, suffix);
}

/**
 * Parses values that upstream holds in an int64. For these upstream keeps any text that looks canonical to it,
 * including `+5`, `1.500` and `05`.
 */
function parseShort(
  text: string,
  negative: boolean,
  whole: string,
  fraction: string,
  suffix: Suffix,
): ParsedQuantity | undefined {
  const binary = suffix.base === 2;
  const digits = whole.length + fraction.length;
  const room = !binary
    ? 18 - digits
    : fraction === ''
      ? 15 - whole.length - Math.trunc(Math.fround(suffix.exponent * 3) / 10) - 1
      : -1;
  const exponent = (binary ? 0 : suffix.exponent) - fraction.length;
  if (room < 0 || exponent < NANO) return undefined;
  const shifted = whole + fraction;
  const value = BigInt(shifted);
  const magnitude = binary ? value << BigInt(suffix.exponent) : value;
  if (magnitude > INT64_MAX) return undefined;
  const canonical = binary
    ? suffix.exponent % 10 === 0 && (value & 7n) !== 0n
    : exponent % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  return {
    unscaled: negative ? -magnitude : magnitude,
    exponent,
    format: suffix.format,
    isShort: true,
    text: canonical ? text : undefined,
  };
}

function parseLong(negative: boolean, digits: string, decimals: number, suffix: Suffix): ParsedQuantity {
  let unscaled = BigInt(digits);
  let exponent = -decimals;
  if (suffix.base === 10) exponent += suffix.exponent;
  else unscaled <<= BigInt(suffix.exponent);
  let format = suffix.format;
  if (exponent < NANO) {
    unscaled = divideRoundUp(unscaled, NANO - exponent);
    exponent = NANO;
  }
  if (format === 'BinarySI') {
    const one = 10n ** BigInt(-exponent);
    if (unscaled > INT64_MAX * one) {
      unscaled = INT64_MAX;
      exponent = 0;
    }
    if (unscaled > 0n && unscaled < one) format = 'DecimalSI';
  }
  return { unscaled: negative ? -unscaled : unscaled, exponent, format, isShort: false, text: undefined };
}

/** `value / 10^places`, rounded away from zero, so that a small request is never zero. `places` may have any size. */
export function divideRoundUp(value: bigint, places: number): bigint {
  if (value < 0n) return -divideRoundUp(-value, places);
  if (value === 0n) return 0n;
  if (places > 2 * MAX_LENGTH) return 1n;
  const divisor = 10n ** BigInt(places);
  return (value + divisor - 1n) / divisor;
}
