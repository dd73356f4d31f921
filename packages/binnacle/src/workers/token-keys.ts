import type { TokenKeys } from '@binnacle/apiserver/serviceaccounts';
import type { TokenKeyTexts } from './calls.js';

/** Keys as text, for another process. */
export function writeTokenKeys({ signing, verification }: TokenKeys): TokenKeyTexts {
  const others = verification.filter(({ id }) => id !== signing.id);
  return {
    signing: signing.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    verification: others.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }).toString()).join(''),
  };
}

export async function readTokenKeys({ signing, verification }: TokenKeyTexts): Promise<TokenKeys> {
  const { readSigningKey, readVerificationKeys, tokenKeys } = await import('@binnacle/apiserver/serviceaccounts');
  return tokenKeys(readSigningKey(signing), verification === '' ? [] : readVerificationKeys(verification));
}
