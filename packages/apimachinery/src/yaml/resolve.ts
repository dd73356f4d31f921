import { YamlError } from './yaml-error.js';

/** The value of a plain scalar. */
export type Resolved =
  | { readonly tag: '!!str'; readonly value: string }
  | { readonly tag: '!!bool'; readonly value: boolean }
  | { readonly tag: '!!null'; readonly value: null }
  | { readonly tag: '!!int'; readonly value: number | bigint }
  | { readonly tag: '!!float'; readonly value: number };

const words: ReadonlyMap<string, Resolved> = new Map([
  ...wordsOf(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'], { tag: '!!bool', value: true }),
  ...wordsOf(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'], {
    tag: '!!bool',
    value: false,
  }),
  ...wordsOf(['', '~', 'null', 'Null', 'NULL'], { tag: '!!null', value: null }),
  ...wordsOf(['.nan', '.NaN', '.NAN'], { tag: '!!float', value: Number.NaN }),
  ...wordsOf(['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'], { tag: '!!float', value: Number.POSITIVE_INFINITY }),
  ...wordsOf(['-.inf', '-.Inf', '-.INF'], { tag: '!!float', value: Number.NEGATIVE_INFINITY }),
]);

function wordsOf(texts: readonly string[], resolved: Resolved): [string, Resolved][] {
  return texts.map((text) => [text, resolved]);
}

/**
 * Upstream tries to resolve only words with these first characters. `<<` and the like have none of them, so its writer
 * treats them as strings.
 */
const firstOfWord = /^[yYnNtTfFoO~.+-]|^$/;
/** Go's syntax, which lets single underscores separate digits. */
const dotFloat = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))$/;
const ascii = /^[ -~]*$/;
const UNDERSCORE = 0x5f;
const signedBinary = /^(?:0b([-+]?[01]+)|-0b([01]+))$/;

/** Resolves a plain scalar by YAML 1.1, as upstream's parser does. */
export function resolvePlain(text: string): Resolved {
  const word = words.get(text);
  if (word !== undefined) return word;
  const first = text.charAt(0);
  if (!/[-+.0-9]/.test(first) || !ascii.test(text)) return { tag: '!!str', value: text };
  const plain = withoutUnderscores(text);
  if (first === '.') return dotFloat.test(text) ? floatOr(plain, text) : { tag: '!!str', value: text };
  return (
    parseInteger(plain) ??
    (float.test(plain) ? floatOr(plain, text) : (parseSignedBinary(plain) ?? { tag: '!!str', value: text }))
  );
}

/** `text` is ASCII. A text of megabytes takes milliseconds; `replaceAll` takes a hundred times as long. */
function withoutUnderscores(text: string): string {
  if (!text.includes('_')) return text;
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? UNDERSCORE;
    if (byte !== UNDERSCORE) bytes[length++] = byte;
  }
  return bytes.toString('latin1', 0, length);
}

/** Whether a plain `text` would be parsed as another value than this string. */
export function needsQuotes(text: string): boolean {
  if (!firstOfWord.test(text) && !/^[0-9]/.test(text)) return false;
  return resolvePlain(text).tag !== '!!str' || timestamp.test(text) || base60.test(text);
}

/** Resolves a scalar with an explicit core tag. Throws {@link YamlError} for an invalid text. */
export function resolveTagged(tag: string, text: string): Resolved {
  if (tag === '!!str') return { tag, value: text };
  const resolved = resolvePlain(text);
  if (resolved.tag === tag) return resolved;
  if (tag === '!!float' && resolved.tag === '!!int') return { tag, value: Number(resolved.value) };
  throw undecodable(resolved, text, tag);
}

/** Resolves a scalar with the tag of a timestamp, which stays text. Throws {@link YamlError} for an invalid text. */
export function resolveTimestamp(text: string): Resolved {
  if (!isTimestamp(text)) throw undecodable(resolvePlain(text), text, '!!timestamp');
  return { tag: '!!str', value: text };
}

function undecodable({ tag }: Resolved, text: string, wanted: string): YamlError {
  return new YamlError(`yaml: cannot decode ${tag} \`${text}\` as a ${wanted}`);
}

function floatOr(number: string, text: string): Resolved {
  const value = Number(number);
  return Number.isFinite(value) ? { tag: '!!float', value } : { tag: '!!str', value: text };
}

/** Longer texts exceed 64 bits, and would be slow to convert. */
const MAX_DIGITS = 80;

function parseInteger(text: string): Resolved | undefined {
  const match = text.length <= MAX_DIGITS ? integer.exec(text) : null;
  if (match === null) return undefined;
  const [, sign, hexadecimal, octal, binary, decimal] = match;
  const digits =
    hexadecimal !== undefined
      ? `0x${hexadecimal}`
      : octal !== undefined
        ? `0o${octal}`
        : binary !== undefined
          ? `0b${binary}`
          : (decimal ?? '0');
  const magnitude = BigInt(digits);
  const value = sign === '-' ? -magnitude : magnitude;
  const largest = sign === '' ? 2n ** 64n : 2n ** 63n;
  return value < largest && value >= -(2n ** 63n) ? { tag: '!!int', value: narrow(value) } : undefined;
}

/** Upstream parses `0b-1` as an integer too. */
function parseSignedBinary(text: string): Resolved | undefined {
  const match = text.length <= MAX_DIGITS ? signedBinary.exec(text) : null;
  if (match === null) return undefined;
  const digits = match[1] ?? `-${match[2] ?? ''}`;
  const magnitude = BigInt(`0b${digits.replace(/^[-+]/, '')}`);
  const value = digits.startsWith('-') ? -magnitude : magnitude;
  return BigInt.asIntN(64, value) === value ? { tag: '!!int', value: narrow(value) } : undefined;
}

function narrow(value: bigint): number | bigint {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

function isTimestamp(text: string): boolean {
  if (!timestamp.test(text)) return false;
  const [date = '', time = '0:0:0'] = text.split(/[Tt ]/);
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const [hour = 0, minute = 0, second = 0] = time.split(':').map((part) => Number.parseInt(part, 10));
  const [zoneHour = 0, zoneMinute = 0] = (/[-+]([0-9:]+)$/.exec(time)?.[1] ?? '').split(':').map(Number);
  return isDate(year, month, day) && hour < 24 && minute < 60 && second < 60 && zoneHour <= 24 && zoneMinute <= 60;
}

function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return month >= 1 && month <= 12 && day >= 1 && date.getUTCDate() === day;
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestamp =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})| [0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:[.,][0-9]+)?)?$/;
