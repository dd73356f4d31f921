import { divideRoundUp, type ParsedQuantity, parseText } from './parse.js';
import { binarySuffix, decimalSuffix, type QuantityFormat } from './suffix.js';

/**
 * Beyond this many decimal places, addition is approximate. Exponents come from requests and may be in the billions.
 */
const MAX_SPREAD = 2048;
const INT64_MAX = 2n ** 63n - 1n;

/**
 * An exact fixed-point number for cpu, memory and storage; it remembers its suffix family. Immutable. Upstream:
 * apimachinery `resource.Quantity`.
 */
export class Quantity {
  readonly format: QuantityFormat;
  /** The value is `#unscaled * 10^#exponent`. */
  readonly #unscaled: bigint;
  readonly #exponent: number;
  readonly #isShort: boolean;
  #text: string | undefined;

  private constructor(parsed: ParsedQuantity) {
    this.#unscaled = parsed.unscaled;
    this.#exponent = parsed.exponent;
    this.format = parsed.format;
    this.#isShort = parsed.isShort;
    this.#text = parsed.text;
  }

  /** Throws `QuantityError` with upstream's message. */
  static parse(text: string): Quantity {
    return new Quantity(parseText(text));
  }

  static of(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity({ unscaled: BigInt(value), exponent: 0, format, isShort: true, text: undefined });
  }

  static ofMilli(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity({ unscaled: BigInt(value), exponent: -3, format, isShort: true, text: undefined });
  }

  get isZero(): boolean {
    return this.#unscaled === 0n;
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return this.#unscaled === 0n ? 0 : this.#unscaled < 0n ? -1 : 1;
  }

  /** The value, rounded away from zero to an integer and clamped to int64. */
  asInt(): bigint {
    return this.#scaled(0);
  }

  /** The value in thousandths, rounded away from zero and clamped to int64. */
  milliValue(): bigint {
    return this.#scaled(3);
  }

  /** The nearest double, which may be infinite. */
  asNumber(): number {
    return Number(`${this.#unscaled}e${this.#exponent}`);
  }

  /**
   * The value if upstream can tell without a division that it is an integer of 64 bits: `1k` and `1000`, but neither
   * `1.0` nor `1Ei`. Undefined for any other. Upstream: `AsInt64`.
   */
  asExactInt(): bigint | undefined {
    if (!this.#isShort || this.#exponent < 0) return undefined;
    // No value but 0 with a larger exponent fits.
    const value = this.#unscaled * 10n ** BigInt(Math.min(this.#exponent, 20));
    return isInt64(value) ? value : undefined;
  }

  /** A double near the value, with upstream's rounding. Upstream: `AsApproximateFloat64`. */
  asApproximateNumber(): number {
    return Number(this.#unscaled) * powerOfTen(this.#exponent);
  }

  /** -1, 0 or 1 if this is less than, equal to or greater than `other`. Ignores formats. */
  compare(other: Quantity): number {
    if (this.sign !== other.sign) return this.sign < other.sign ? -1 : 1;
    if (this.#unscaled === 0n) return 0;
    const order = digits(this.#unscaled) + this.#exponent - digits(other.#unscaled) - other.#exponent;
    if (order !== 0) return order > 0 ? this.sign : -this.sign;
    const [a, b] = align(this.#unscaled, this.#exponent, other.#unscaled, other.#exponent);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** The sum in this format, or in the other's if this is zero. */
  add(other: Quantity): Quantity {
    return this.#plus(other, other.#unscaled);
  }

  /** The difference in this format, or in the other's if this is zero. */
  subtract(other: Quantity): Quantity {
    return this.#plus(other, -other.#unscaled);
  }

  negate(): Quantity {
    return this.#with(-this.#unscaled, this.#exponent, this.format, this.#isShort);
  }

  /** Upstream's text: canonical, except where upstream keeps the input (`+5`). */
  toString(): string {
    this.#text ??= this.#canonical();
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }

  #plus(other: Quantity, addend: bigint): Quantity {
    const format = this.#unscaled === 0n ? other.format : this.format;
    const areShort = this.#isShort && other.#isShort;
    if (addend === 0n) return this.#with(this.#unscaled, this.#exponent, format, areShort);
    if (this.#unscaled === 0n) return this.#with(addend, other.#exponent, format, areShort);
    const spread = this.#exponent - other.#exponent;
    if (spread > MAX_SPREAD) return this.#with(this.#unscaled, this.#exponent, format, false);
    if (spread < -MAX_SPREAD) return this.#with(addend, other.#exponent, format, false);
    const [a, b] = align(this.#unscaled, this.#exponent, addend, other.#exponent);
    const isShort = areShort && isInt64(a) && isInt64(b) && isInt64(a + b);
    return this.#with(a + b, Math.min(this.#exponent, other.#exponent), format, isShort);
  }

  #with(unscaled: bigint, exponent: number, format: QuantityFormat, isShort: boolean): Quantity {
    return new Quantity({ unscaled, exponent, format, isShort, text: undefined });
  }

  #scaled(places: number): bigint {
    const exponent = this.#exponent + places;
    if (exponent <= 0) return clamp(divideRoundUp(this.#unscaled, -exponent));
    return clamp(this.#unscaled * 10n ** BigInt(Math.min(exponent, 20)));
  }

  #canonical(): string {
    if (this.#unscaled === 0n) return '0';
    let { unscaled, exponent } = withoutZeros(this.#unscaled, this.#exponent);
    if (this.format === 'BinarySI' && exponent >= 0 && exponent <= MAX_SPREAD) {
      let whole = unscaled * 10n ** BigInt(exponent);
      // Uses the decimal family below 1Ki and where the suffix would lose a fraction.
      if (whole >= 1024n || whole <= -1024n) {
        let power = 0;
        for (; whole % 1024n === 0n; power++) whole /= 1024n;
        return `${whole}${binarySuffix(power)}`;
      }
    }
    for (; exponent % 3 !== 0; exponent--) unscaled *= 10n;
    return `${unscaled}${decimalSuffix(exponent, this.format === 'BinarySI' ? 'DecimalSI' : this.format)}`;
  }
}

/** `text` as upstream writes it back. Throws `QuantityError`. */
export function canonicalizeQuantity(text: string): string {
  return Quantity.parse(text).toString();
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Upstream multiplies two powers from tables, of which one is a multiple of 32. */
function powerOfTen(exponent: number): number {
  if (exponent > 308) return Infinity;
  if (exponent < -323) return 0;
  const low = Math.abs(exponent) % 32;
  const high = Math.abs(exponent) - low;
  return exponent < 0 ? Number(`1e-${high}`) / Number(`1e${low}`) : Number(`1e${high}`) * Number(`1e${low}`);
}

function clamp(value: bigint): bigint {
  return value > INT64_MAX ? INT64_MAX : value < -INT64_MAX ? -INT64_MAX : value;
}

function digits(value: bigint): number {
  return value < 0n ? value.toString().length - 1 : value.toString().length;
}

function align(a: bigint, aExponent: number, b: bigint, bExponent: number): [bigint, bigint] {
  return aExponent >= bExponent
    ? [a * 10n ** BigInt(aExponent - bExponent), b]
    : [a, b * 10n ** BigInt(bExponent - aExponent)];
}

function withoutZeros(unscaled: bigint, exponent: number): { unscaled: bigint; exponent: number } {
  const text = unscaled.toString();
  const significant = text.replace(/0+$/, '');
  return { unscaled: BigInt(significant), exponent: exponent + text.length - significant.length };
}
