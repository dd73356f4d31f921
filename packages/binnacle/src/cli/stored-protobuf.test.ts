import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindSchema } from '@binnacle/api/table';
import { encodeProtobuf, wrapEnvelope } from '@binnacle/apimachinery/protobuf';
import { isStoredProtobuf } from './stored-protobuf.js';

test('a value in protobuf is sound when it can be read, of a kind that is known or not', () => {
  const schema = kindSchema({ group: '', version: 'v1', kind: 'ConfigMap' });
  assert.ok(schema !== undefined);
  const message = encodeProtobuf({ metadata: { name: 'a' }, data: { key: 'value' } }, schema);
  const value = Buffer.from(wrapEnvelope('v1', 'ConfigMap', message));
  assert.equal(isStoredProtobuf(value), true);
  assert.equal(isStoredProtobuf(wrapEnvelope('example.com/v1', 'Thing', message)), true);
  assert.equal(isStoredProtobuf(wrapEnvelope('a/b/c', 'Thing', message)), true);

  assert.equal(isStoredProtobuf(value.subarray(0, -5)), false, 'cut off');
  assert.equal(isStoredProtobuf(Buffer.from('no protobuf')), false);
  const zeroed = Buffer.from(value).fill(0, 23, 30);
  assert.equal(isStoredProtobuf(zeroed), false);
});
