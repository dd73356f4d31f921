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
  #text: string | undefined;

  private constructor(parsed: ParsedQuantity) {
    this.#unscaled = parsed.unscaled;
    this.#exponent = parsed.exponent;
    this.format = parsed.format;
    this.#text = parsed.text;
  }

  /** Throws `QuantityError` with upstream's message. */
  static parse(text: string): Quantity {
    return new Quantity(parseText(text));
  }

  static of(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity({ unscaled: BigInt(value), exponent: 0, format, text: undefined });
  }

  static ofMilli(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
    return new Quantity({ unscaled: BigInt(value), exponent: -3, format, text: undefined });
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
    return new Quantity({ unscaled: -this.#unscaled, exponent: this.#exponent, format: this.format, text: undefined });
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
    if (addend === 0n)
      return new Quantity({ unscaled: this.#unscaled, exponent: this.#exponent, format, text: undefined });
    if (this.#unscaled === 0n)
      return new Quantity({ unscaled: addend, exponent: other.#exponent, format, text: undefined });
    const spread = this.#exponent - other.#exponent;
    if (spread > MAX_SPREAD)
      return new Quantity({ unscaled: this.#unscaled, exponent: this.#exponent, format, text: undefined });
    if (spread < -MAX_SPREAD)
      return new Quantity({ unscaled: addend, exponent: other.#exponent, format, text: undefined });
    const [a, b] = align(this.#unscaled, this.#exponent, addend, other.#exponent);
    return new Quantity({
      unscaled: a + b,
      exponent: Math.min(this.#exponent, other.#exponent),
      format,
      text: undefined,
    });
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
