// No digit can belong to two groups, so a text is read in linear time.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?\d+)$/;
/** A bit of a number, and more than its exponent, cannot change the double beyond these. */
const SIGNIFICANT = 64;
const LARGEST_EXPONENT = 1_000_000;

/** The double that a text names; undefined if there is none, or if it is too large. Upstream: Go's `strconv.ParseFloat`. */
export function parseFloat64(text: string): number | undefined {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const plain = withoutUnderscores(text);
  if (plain === undefined) return undefined;
  const value = DECIMAL.test(plain) ? Number(plain) : hexadecimal(plain);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** An underscore belongs between digits, or between a prefix and a digit. */
function withoutUnderscores(text: string): string | undefined {
  if (!text.includes('_')) return text;
  const isHexadecimal = /^[+-]?0[xX]/.test(text);
  const misplaced = isHexadecimal ? /(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])/ : /(?<!\d)_|_(?!\d)/;
  return misplaced.test(text) ? undefined : text.replaceAll('_', '');
}

function hexadecimal(text: string): number | undefined {
  const [, sign, whole = '', fraction = '', power = ''] = HEXADECIMAL.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return sign === '-' ? -0 : 0;
  // One more bit replaces all that are left out, which can only break a tie.
  const isCut = digits.length > SIGNIFICANT;
  const mantissa = BigInt(`0x${digits.slice(0, SIGNIFICANT)}${isCut ? '1' : ''}`);
  const left = isCut ? digits.length - SIGNIFICANT - 1 : 0;
  const exponent = Number(power) + 4 * (left - fraction.length);
  const value = scaled(mantissa, Math.max(-LARGEST_EXPONENT, Math.min(LARGEST_EXPONENT, exponent)));
  return sign === '-' ? -value : value;
}

/** `mantissa * 2^exponent`, rounded once. */
function scaled(mantissa: bigint, exponent: number): number {
  if (exponent > 1024) return Infinity;
  if (exponent >= 0) return Number(mantissa << BigInt(exponent));
  if (exponent < -1500) return 0;
  return Number(`${mantissa * 5n ** BigInt(-exponent)}e${exponent}`);
}
