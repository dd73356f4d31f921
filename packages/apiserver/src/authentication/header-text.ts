import { Buffer } from 'node:buffer';
import { decodeUtf8 } from '@binnacle/apimachinery/json';

const BEYOND_ASCII = /[\x80-\xff]/;

/**
 * Decodes a header that carries a name or a credential. Node decodes one character per byte, but clients send UTF-8,
 * and role bindings name users in UTF-8.
 */
export function decodeHeader(value: string): string {
  return BEYOND_ASCII.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

const MALFORMED_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPE = /%([0-9a-f]{2})/gi;

/**
 * Decodes the end of a header name, which carries the key of an extra in percent encoding. A malformed escape leaves the
 * key unchanged. A byte that is not UTF-8 becomes U+FFFD, as in the JSON that upstream writes.
 */
export function decodeHeaderKey(key: string): string {
  if (!key.includes('%') || MALFORMED_ESCAPE.test(key)) return key;
  const bytes = key.replace(ESCAPE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return decodeUtf8(Buffer.from(bytes, 'latin1'));
}

/** The inverse of {@link decodeHeader}. */
export function encodeHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
