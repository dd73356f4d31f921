import { MAX_KEY_BYTES } from '@binnacle/kv';

/** Whether the store takes keys of this length. No object has a longer one. */
export function isStorableKey(key: string): boolean {
  // No code unit takes more than three bytes.
  return key.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES;
}
