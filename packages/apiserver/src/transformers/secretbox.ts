import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { tooShort, type Transformer, TransformError } from './transformer.js';

const NONCE_BYTES = 24;
const TAG_BYTES = 16;

/**
 * NaCl's secretbox, XSalsa20 and Poly1305: a random nonce, the tag, the ciphertext. A key of 32 bytes. Upstream: apiserver
 * `pkg/storage/value/encrypt/secretbox`.
 */
export function secretbox(key: Uint8Array): Transformer {
  return {
    read(stored) {
      if (stored.length < NONCE_BYTES + TAG_BYTES) throw tooShort();
      try {
        const box = xsalsa20poly1305(key, stored.subarray(0, NONCE_BYTES));
        return { value: box.decrypt(stored.subarray(NONCE_BYTES)), isStale: false };
      } catch {
        // Upstream gives this error also for a wrong key.
        throw new TransformError('output array was not large enough for encryption');
      }
    },
    write(value) {
      const nonce = randomBytes(NONCE_BYTES);
      return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(value)]);
    },
  };
}
