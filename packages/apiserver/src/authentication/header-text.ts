import { Buffer } from 'node:buffer';

const BEYOND_ASCII = /[\x80-\xff]/;

/**
 * The text of a header that names or proves who someone is. Node makes a character of each byte; clients send UTF-8, and
 * the names that rights are given to are read from UTF-8.
 */
export function decodeHeader(value: string): string {
  return BEYOND_ASCII.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** The opposite of {@link decodeHeader}: the text as the header of a request would hold it. */
export function encodeHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}
