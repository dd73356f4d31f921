import { randomBytes } from 'node:crypto';

/** Positive and at most 20 octets, as RFC 5280 requires. */
export function serialNumber(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
