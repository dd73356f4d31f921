import { isEncrypted } from '@binnacle/apimachinery/serializer';
import { type Transformer, TransformError } from './transformer.js';

/** Stores values as they are, and refuses to read encrypted ones. */
export const identity: Transformer = {
  read(stored) {
    if (isEncrypted(stored)) throw new TransformError('identity transformer tried to read encrypted data');
    return { value: stored, isStale: false };
  },
  write: (value) => value,
};
