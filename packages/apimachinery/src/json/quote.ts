import { wellFormed } from './text.js';

/** Formats a double as Go does. JavaScript differs only in negative zero. NaN and infinities have no JSON form. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`json: unsupported value: ${formatNonFinite(value)}`);
  return value === 0 && Object.is(value, -0) ? '-0' : String(value);
}

function formatNonFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** Anything but printable ASCII without `"`, `&`, `<`, `>` and `\`: one class is faster than an alternative. */
const needsEscape = /[^ !#-%'-;=?-[\]-~]/;
const htmlUnsafe = /[<>&\u2028\u2029]/g;

/** Quotes `text` as a JSON string, as Go's encoder does. */
export function quoteJson(text: string): string {
  return needsEscape.test(text) ? quoteEscaped(text) : `"${text}"`;
}

/** {@link quoteJson} for a text that needs escapes. */
export function quoteEscaped(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(htmlUnsafe, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
