import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DecodeError } from '@binnacle/apimachinery/serializer';
import {
  decodeDecryptResponse,
  decodeEncryptedObject,
  decodeEncryptResponse,
  decodeStatusResponse,
  encodeDecryptRequest,
  encodeEncryptedObject,
  encodeEncryptRequest,
  SEED,
} from './messages.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const source = { ciphertext: hex('0102'), keyId: 'k', annotations: new Map([['a.b', hex('09')]]) };

it('encodes requests with the numbers of the API', () => {
  assert.deepEqual(encodeEncryptRequest(hex('ff'), 'u'), hex('0a01ff 120175'));
  assert.deepEqual(encodeDecryptRequest(source, 'u'), hex('0a020102 120175 1a016b 2208 0a03612e62 120109'));
});

it('decodes answers, and skips fields that it does not know', () => {
  const encrypted = decodeEncryptResponse(hex('0a020102 12016b 1a08 0a03612e62 120109 3001'));
  assert.deepEqual({ ...encrypted }, source);
  assert.deepEqual(decodeDecryptResponse(hex('0a01ff 120175')), hex('ff'));
  assert.deepEqual(decodeStatusResponse(hex('0a027632 12026f6b 1a016b')), { version: 'v2', healthz: 'ok', keyId: 'k' });
  assert.deepEqual(decodeStatusResponse(hex('')), { version: '', healthz: '', keyId: '' });
});

it('decodes the stored object that it has encoded', () => {
  const stored = encodeEncryptedObject({ data: hex('aabb'), source, sourceType: SEED });
  assert.deepEqual(stored, hex('0a02aabb 12016b 1a020102 2208 0a03612e62 120109 2801'));
  const { data, source: decoded, sourceType } = decodeEncryptedObject(stored);
  assert.deepEqual([data, { ...decoded }, sourceType], [hex('aabb'), source, SEED]);
});

it('refuses bytes that are not a message', () => {
  assert.throws(() => decodeEncryptedObject(hex('0a05aa')), DecodeError);
});
