const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const SCIENTIFIC_DECIMALS = 6;

/** A number as `digits * 10^-decimals`. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: bigint;
  readonly decimals: number;
}

/** `1234.500` of a finite number. Halves are rounded to the even digit, as in Go. */
export function fixedText(value: number, decimals: number): string {
  const { isNegative, digits } = rounded(exact(value), decimals);
  const text = digits.toString().padStart(decimals + 1, '0');
  const whole = text.slice(0, text.length - decimals);
  return `${isNegative ? '-' : ''}${decimals === 0 ? whole : `${whole}.${text.slice(-decimals)}`}`;
}

/** `1,234.500`, as in American English. Upstream: `golang.org/x/text/message`. */
export function groupedText(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  const [whole = '', fraction] = fixedText(value, decimals).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `1.234500×10⁰³`, right-aligned to a width. Upstream: `golang.org/x/text/message`. */
export function scientificText(value: number, width: number): string {
  return (Number.isFinite(value) ? scientific(value) : specialText(value)).padStart(width);
}

function specialText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '∞' : '-∞';
}

function scientific(value: number): string {
  const number = exact(value);
  let exponent = value === 0 ? 0 : number.digits.toString().length - number.decimals - 1;
  let { digits } = rounded(number, SCIENTIFIC_DECIMALS - exponent);
  if (digits === 10n ** BigInt(SCIENTIFIC_DECIMALS + 1)) {
    digits /= 10n;
    exponent++;
  }
  const text = digits.toString().padStart(SCIENTIFIC_DECIMALS + 1, '0');
  const power = String(Math.abs(exponent))
    .padStart(2, '0')
    .replace(/\d/g, (digit) => SUPERSCRIPTS.charAt(Number(digit)));
  return `${number.isNegative ? '-' : ''}${text.charAt(0)}.${text.slice(1)}×10${exponent < 0 ? '⁻' : ''}${power}`;
}

/** All digits of a finite number. */
function exact(value: number): Decimal {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const biased = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xf_ffff_ffff_ffffn;
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const exponent = Math.max(biased, 1) - 1075;
  const isNegative = all >> 63n === 1n;
  if (exponent >= 0) return { isNegative, digits: mantissa << BigInt(exponent), decimals: 0 };
  return { isNegative, digits: mantissa * 5n ** BigInt(-exponent), decimals: -exponent };
}

function rounded({ isNegative, digits, decimals }: Decimal, wanted: number): Decimal {
  if (decimals <= wanted) {
    return { isNegative, digits: digits * 10n ** BigInt(wanted - decimals), decimals: wanted };
  }
  const divisor = 10n ** BigInt(decimals - wanted);
  const [quotient, rest] = [digits / divisor, digits % divisor];
  const isUp = rest * 2n > divisor || (rest * 2n === divisor && quotient % 2n === 1n);
  return { isNegative, digits: isUp ? quotient + 1n : quotient, decimals: wanted };
}
