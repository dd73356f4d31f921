import type { SigningKey, TokenKeys } from '@binnacle/apiserver/serviceaccounts';
import { loadServiceAccountKey } from '../certificates/index.js';
import type { InputFiles } from './input-files.js';

/**
 * The keys for service account tokens: provided by the user, stored in `directory`, or in memory. Keys in memory are
 * generated when the first token needs them.
 */
export async function serviceAccountKeys(
  { signingKey, verificationKeys }: InputFiles['serviceAccounts'],
  directory: string | undefined,
): Promise<() => Promise<TokenKeys>> {
  const signing = signingKey ?? (directory === undefined ? undefined : await loadKey(directory));
  let keys: Promise<TokenKeys> | undefined;
  return () => (keys ??= complete(signing, verificationKeys));
}

async function complete(
  signing: SigningKey | undefined,
  others: InputFiles['serviceAccounts']['verificationKeys'],
): Promise<TokenKeys> {
  const { makeSigningKeyText, readSigningKey, tokenKeys } = await import('@binnacle/apiserver/serviceaccounts');
  return tokenKeys(signing ?? readSigningKey(await makeSigningKeyText()), others);
}

async function loadKey(directory: string): Promise<SigningKey> {
  const { makeSigningKeyText, readSigningKey } = await import('@binnacle/apiserver/serviceaccounts');
  const isValid = (text: string): boolean => {
    try {
      readSigningKey(text);
      return true;
    } catch {
      return false;
    }
  };
  return readSigningKey(await loadServiceAccountKey(directory, isValid, makeSigningKeyText));
}
