import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { encodeCbor } from '@binnacle/apimachinery/cbor';
import { encodeProtobuf, wrapEnvelope } from '@binnacle/apimachinery/protobuf';
import { isStoredValue } from './read-stored-value.js';

test('a protobuf value is valid when it can be decoded, whether its kind is known or not', () => {
  const schema = kindSchema({ group: '', version: 'v1', kind: 'ConfigMap' });
  assert.ok(schema !== undefined);
  const message = encodeProtobuf({ metadata: { name: 'a' }, data: { key: 'value' } }, schema);
  const value = Buffer.from(wrapEnvelope('v1', 'ConfigMap', message));
  assert.equal(isStoredValue(value), true);
  assert.equal(isStoredValue(wrapEnvelope('example.com/v1', 'Thing', message)), true);
  assert.equal(isStoredValue(wrapEnvelope('a/b/c', 'Thing', message)), true);

  assert.equal(isStoredValue(value.subarray(0, -5)), false, 'cut off');
  assert.equal(isStoredValue(Buffer.from('no protobuf')), false);
  const zeroed = Buffer.from(value).fill(0, 23, 30);
  assert.equal(isStoredValue(zeroed), false);
});

test('a CBOR value is valid when it is an object', () => {
  const value = encodeCbor({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } });
  assert.equal(isStoredValue(value), true);
  assert.equal(isStoredValue(value.subarray(0, -1)), false, 'cut off');
  assert.equal(isStoredValue(encodeCbor(['a'])), false);
});

test('an encrypted value is valid when it names a provider and a key', () => {
  for (const [text, expected] of [
    ['k8s:enc:aescbc:v1:key1:\0\xff', true],
    ['k8s:enc:kms:v2:one:\n', true],
    ['k8s:enc:aescbc:v1:key1', false],
    ['k8s:enc:', false],
    ['\0k8s:enc:aescbc:v1:key1:x', false],
  ] as const) {
    assert.equal(isStoredValue(Buffer.from(text, 'latin1')), expected, text);
  }
});
