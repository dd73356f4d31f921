import type { Int64 } from '@binnacle/apimachinery/json';
import { badRequest, quoteGo } from '@binnacle/apimachinery/status';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Parses a decimal 64-bit integer; returns the text of Go's error if it is invalid. */
export function parseInt64(text: string): Int64 | string {
  if (!/^[+-]?[0-9]+$/.test(text)) return `strconv.ParseInt: parsing ${quoteGo(text)}: invalid syntax`;
  const digits = text.replace(/^[+-]/, '').replace(/^0+(?=[0-9])/, '');
  // Checking the length first avoids converting a megabyte of digits.
  if (digits.length <= 19) {
    const value = BigInt(text.startsWith('-') ? `-${digits}` : digits);
    if (value >= INT64_MIN && value <= INT64_MAX) {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value;
    }
  }
  return `strconv.ParseInt: parsing ${quoteGo(text)}: value out of range`;
}

/** The first value of an integer parameter; undefined when absent. Throws 400 in Go's words if it is invalid. */
export function integerParameter(query: URLSearchParams, key: string): Int64 | undefined {
  const text = query.get(key);
  if (text === null) return undefined;
  const value = parseInt64(text);
  if (typeof value === 'string') throw badRequest(value);
  return value;
}

/**
 * The first value of a boolean parameter; undefined when absent. Only `0` and `false` are false; every other value,
 * also the empty string, is true. Upstream: apimachinery `pkg/runtime/conversion.go`.
 */
export function parseBoolean(query: URLSearchParams, key: string): boolean | undefined {
  const text = query.get(key);
  if (text === null) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}
