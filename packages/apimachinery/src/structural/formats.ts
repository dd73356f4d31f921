import { parseDuration, TimeParseError } from '../time/index.js';
import { parseIpAddress, parseIpPrefix, requestUriOf } from '../validation/index.js';
import { isEmail } from './email.js';

type Format = (text: string) => boolean;

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const labelExpression = new RegExp(`^${label}$`);
const matches =
  (expression: RegExp): Format =>
  (text) =>
    expression.test(text);

/**
 * The formats of strings, by their names without dashes. Upstream: apiextensions `supportedVersionedFormats`,
 * kube-openapi `strfmt`.
 */
const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', (text) => requestUriOf(text) !== undefined],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && parseIpAddress(text) !== undefined],
  ['ipv6', (text) => text.includes(':') && parseIpAddress(text)?.leadingZeros === false],
  ['cidr', (text) => parseIpPrefix(text) !== undefined],
  ['mac', isMac],
  ['uuid', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && labelExpression.test(text)],
  ['k8slongname', (text) => text.length <= 253 && text.split('.').every((part) => labelExpression.test(part))],
]);

/** Whether a format is known for a type. `''` is a schema without a type; it has the formats of strings. Upstream: `GetUnrecognizedFormats`. */
export function isKnownFormat(format: string, type: string): boolean {
  switch (type) {
    case '':
    case 'string':
      return formats.has(format.replaceAll('-', ''));
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}

/** Whether a string has a format. A format that is unknown or does not apply to strings matches every string. */
export function hasFormat(text: string, format: string): boolean {
  return formats.get(format.replaceAll('-', ''))?.(text) ?? true;
}

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  const parts = text.split('.');
  if (parts.some((part) => Buffer.byteLength(part) > 63)) return false;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined)
    return /^[a-zA-Z0-9\p{S}\p{L}](-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?$/u.test(only);
  const top = parts.at(-1) ?? '';
  return (
    /^[a-zA-Z\p{L}]{2,63}$/u.test(top) &&
    parts
      .slice(0, -1)
      .every((part) => /^[a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u.test(part))
  );
}

function isMac(text: string): boolean {
  for (const separator of [':', '-']) {
    const parts = text.split(separator);
    if ([6, 8, 20].includes(parts.length)) return parts.every((part) => /^[0-9a-fA-F]{2}$/.test(part));
  }
  if ([12, 16, 40].includes(text.length) && /^[0-9a-fA-F]*$/.test(text)) return true;
  const groups = text.split('.');
  return [3, 4, 10].includes(groups.length) && groups.every((part) => /^[0-9a-fA-F]{4}$/.test(part));
}

function withoutSpace(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, '');
}

function isIsbn10(text: string): boolean {
  const digits = withoutSpace(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index++) sum += (index + 1) * (digits[index] === 'X' ? 10 : Number(digits[index]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = withoutSpace(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(digits[index]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!creditCard.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const rgbPart = /^[\t\n\f\r ]*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])[\t\n\f\r ]*$/;

function isRgbColor(text: string): boolean {
  const inner = /^rgb\((.*)\)$/s.exec(text)?.[1];
  if (inner === undefined) return false;
  const parts = inner.split(',');
  return parts.length === 3 && parts.every((part) => rgbPart.test(part));
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (date === undefined || time === undefined || !isDate(date)) return false;
  const [, hours = '', minutes = '', seconds = ''] =
    /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time) ?? [];
  return hours !== '' && hours <= '23' && minutes <= '59' && seconds <= '59';
}

const unitNames: readonly (readonly [nanoseconds: bigint, names: RegExp])[] = [
  [1n, /^(ns$|nano)/i],
  [1_000n, /^((us|\u00b5s)$|micro)/i],
  [1_000_000n, /^(ms$|milli)/i],
  [1_000_000_000n, /^(s$|sec)/i],
  [60_000_000_000n, /^(m$|min)/i],
  [3_600_000_000_000n, /^((h|hr)$|hour)/i],
  [86_400_000_000_000n, /^(d$|day)/i],
  [604_800_000_000_000n, /^((w|wk)$|week)/i],
];

/**
 * Parses a string of format `duration` to nanoseconds: Go's durations, and counts of units such as `3 days`. Undefined
 * for any other text. Upstream: `strfmt.ParseDuration`.
 */
export function parseFormattedDuration(text: string): bigint | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof TimeParseError)) throw error;
  }
  let total: bigint | undefined;
  for (const [, count = '', name = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]*)/g)) {
    if (name !== '' && count.replace(/^0+/, '').length > 18) return undefined;
    const unit = unitNames.find(([, names]) => names.test(name));
    if (unit !== undefined) total = BigInt.asIntN(64, (total ?? 0n) + BigInt(count) * unit[0]);
  }
  return total;
}

function isDuration(text: string): boolean {
  return parseFormattedDuration(text) !== undefined;
}
