import { randomBytes } from 'node:crypto';

/** A random serial number of 16 octets. RFC 5280 requires a positive one of at most 20. */
export function serialNumber(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
