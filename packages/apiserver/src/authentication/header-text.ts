import { Buffer } from 'node:buffer';

const BEYOND_ASCII = /[\x80-\xff]/;

/**
 * Decodes a header that carries a name or a credential. Node decodes one character per byte, but clients send UTF-8,
 * and role bindings name users in UTF-8.
 */
export function decodeHeader(value: string): string {
  return BEYOND_ASCII.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** The inverse of {@link decodeHeader}. */
export function encodeHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
