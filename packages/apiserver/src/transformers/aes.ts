import {
  type CipherGCMTypes,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { tooShort, type Transformer, TransformError } from './transformer.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BLOCK_BYTES = 16;
/** The random part of a derived key, which precedes the value. Also the least length of a seed. */
const INFO_BYTES = 32;
/** The number of the first, and only, block of HKDF's output. */
const FIRST_BLOCK = Uint8Array.of(1);

/**
 * AES-GCM: a random nonce, the ciphertext, the tag; the key of the value is authenticated. A key of 16, 24 or 32 bytes.
 * Upstream: apiserver `pkg/storage/value/encrypt/aes`.
 */
export function gcm(key: Uint8Array): Transformer {
  const secret = createSecretKey(key);
  return {
    read: (stored, { key: place }) => ({ value: openGcm(secret, stored, place), isStale: false }),
    write: (value, { key: place }) => Buffer.concat(sealGcm(secret, value, place)),
  };
}

/** AES-GCM with a key of its own for each value: HKDF of the seed and of 32 random bytes before the nonce. */
export function seededGcm(seed: Uint8Array): Transformer {
  if (seed.length < INFO_BYTES) throw new TransformError(`invalid seed length ${seed.length} used for key generation`);
  const secret = createSecretKey(seed);
  return {
    read(stored, { key: place }) {
      if (stored.length < INFO_BYTES) throw tooShort();
      const key = derivedKey(secret, stored.subarray(0, INFO_BYTES));
      return { value: openGcm(key, stored.subarray(INFO_BYTES), place), isStale: false };
    },
    write(value, { key: place }) {
      const info = randomBytes(INFO_BYTES);
      return Buffer.concat([info, ...sealGcm(derivedKey(secret, info), value, place)]);
    },
  };
}

/** The expansion of HKDF with SHA-256, as long as one hash; the seed is already uniformly random. */
function derivedKey(seed: KeyObject, info: Uint8Array): KeyObject {
  return createSecretKey(createHmac('sha256', seed).update(info).update(FIRST_BLOCK).digest());
}

function openGcm(key: KeyObject, stored: Uint8Array, place: string): Uint8Array {
  if (stored.length < NONCE_BYTES) throw tooShort();
  if (stored.length < NONCE_BYTES + TAG_BYTES) throw notAuthentic();
  const end = stored.length - TAG_BYTES;
  const decipher = createDecipheriv(gcmOf(key), key, stored.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(stored.subarray(end));
  const value = decipher.update(stored.subarray(NONCE_BYTES, end));
  try {
    decipher.final();
  } catch {
    throw notAuthentic();
  }
  return value;
}

function sealGcm(key: KeyObject, value: Uint8Array, place: string): Uint8Array[] {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(gcmOf(key), key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  const sealed = cipher.update(value);
  cipher.final();
  return [nonce, sealed, cipher.getAuthTag()];
}

function gcmOf({ symmetricKeySize = 0 }: KeyObject): CipherGCMTypes {
  return symmetricKeySize === 16 ? 'aes-128-gcm' : symmetricKeySize === 24 ? 'aes-192-gcm' : 'aes-256-gcm';
}

function notAuthentic(): TransformError {
  return new TransformError('cipher: message authentication failed');
}

/** AES-CBC: a random initialization vector and the padded ciphertext. It authenticates nothing. */
export function cbc(key: Uint8Array): Transformer {
  const secret = createSecretKey(key);
  const algorithm = `aes-${key.length * 8}-cbc`;
  return {
    read(stored) {
      if (stored.length < BLOCK_BYTES) throw tooShort();
      if (stored.length % BLOCK_BYTES !== 0) {
        throw new TransformError('the stored data is not a multiple of the block size');
      }
      const decipher = createDecipheriv(algorithm, secret, stored.subarray(0, BLOCK_BYTES)).setAutoPadding(false);
      const padded = decipher.update(stored.subarray(BLOCK_BYTES));
      decipher.final();
      return { value: withoutPadding(padded), isStale: false, isForgeable: true };
    },
    write(value) {
      const vector = randomBytes(BLOCK_BYTES);
      const cipher = createCipheriv(algorithm, secret, vector);
      return Buffer.concat([vector, cipher.update(value), cipher.final()]);
    },
  };
}

/** Removes the padding of PKCS #7. */
function withoutPadding(padded: Uint8Array): Uint8Array {
  const count = padded.at(-1) ?? 0;
  if (count === 0 || count > padded.length) {
    throw new TransformError('invalid PKCS7 data (empty or not padded)');
  }
  const size = padded.length - count;
  if (padded.subarray(size).some((byte) => byte !== count)) throw new TransformError('invalid padding on input');
  return padded.subarray(0, size);
}
