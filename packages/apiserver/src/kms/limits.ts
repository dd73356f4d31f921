import { joinMessages } from '@binnacle/apimachinery/errors';
import { nameIsDnsSubdomain } from '@binnacle/apimachinery/validation';
import { type Annotations, DATA_KEY, type EncryptedKey, type EncryptedObject, SEED } from './messages.js';

const MOST_KEY_ID_BYTES = 1024;
const MOST_SOURCE_BYTES = 1024;
const MOST_ANNOTATION_BYTES = 32 * 1024;

/** Why a plugin's key id is refused: for metrics, and for people. */
export interface KeyIdFault {
  readonly code: 'empty' | 'too_long';
  readonly message: string;
}

/** Upstream: apiserver `pkg/storage/value/encrypt/envelope/kmsv2` ValidateKeyID. */
export function faultOfKeyId(keyId: string): KeyIdFault | undefined {
  const bytes = Buffer.byteLength(keyId);
  if (bytes === 0) return { code: 'empty', message: 'keyID is empty' };
  if (bytes <= MOST_KEY_ID_BYTES) return undefined;
  return { code: 'too_long', message: `keyID is ${bytes} bytes, which exceeds the max size of ${MOST_KEY_ID_BYTES}` };
}

/** What is wrong with an encrypted key; undefined: nothing. */
export function faultOfKey({ ciphertext, keyId, annotations }: EncryptedKey): string | undefined {
  const source = faultOfSource(ciphertext);
  if (source !== undefined) return `failed to validate encrypted DEK source: ${source}`;
  const id = faultOfKeyId(keyId);
  if (id !== undefined) return `failed to validate key id: ${id.message}`;
  const attached = faultOfAnnotations(annotations);
  return attached === undefined ? undefined : `failed to validate annotations: ${attached}`;
}

/** What is wrong with a stored object; undefined: nothing. */
export function faultOfObject({ data, source, sourceType }: EncryptedObject): string | undefined {
  if (sourceType !== DATA_KEY && sourceType !== SEED) return `unknown encryptedDEKSourceType: ${sourceType}`;
  return data.length === 0 ? 'encrypted data is empty' : faultOfKey(source);
}

function faultOfSource({ length }: Uint8Array): string | undefined {
  if (length === 0) return 'encrypted DEK source is empty';
  if (length <= MOST_SOURCE_BYTES) return undefined;
  return `encrypted DEK source is ${length} bytes, which exceeds the max size of ${MOST_SOURCE_BYTES}`;
}

function faultOfAnnotations(annotations: Annotations): string | undefined {
  let total = 0;
  const faults: string[] = [];
  for (const [name, value] of annotations) {
    if (!name.includes('.') || nameIsDnsSubdomain(name, false).length > 0) {
      faults.push(
        `annotations: Invalid value: ${JSON.stringify(name)}: should be a domain with at least two segments separated by dots`,
      );
    }
    total += Buffer.byteLength(name) + value.length;
  }
  if (total > MOST_ANNOTATION_BYTES) {
    faults.push(`total size of annotations is ${total}, which exceeds the max size of ${MOST_ANNOTATION_BYTES}`);
  }
  return faults.length === 0 ? undefined : joinMessages(faults);
}
