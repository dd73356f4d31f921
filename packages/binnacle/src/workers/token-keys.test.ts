import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  makeSigningKeyText,
  readSigningKey,
  readVerificationKeys,
  tokenKeys,
} from '@binnacle/apiserver/serviceaccounts';
import { readTokenKeys, writeTokenKeys } from './token-keys.js';

test('another process gets the same keys for tokens', async () => {
  const [signing, other] = await Promise.all([makeSigningKeyText(), makeSigningKeyText()]);
  const publicOf = (text: string) => readSigningKey(text).publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const keys = tokenKeys(readSigningKey(signing), readVerificationKeys(publicOf(other)));
  for (const each of [keys, tokenKeys(readSigningKey(signing), [])]) {
    const read = await readTokenKeys(writeTokenKeys(each));
    assert.equal(read.signing.id, each.signing.id);
    assert.deepEqual(read.signing.algorithm, each.signing.algorithm);
    assert.deepEqual(
      read.verification.map(({ id }) => id),
      each.verification.map(({ id }) => id),
    );
  }
});
