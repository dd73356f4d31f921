import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyAfter, prefixRange, rangeFrom } from './key-ranges.js';

test('a prefix ends where its last byte is incremented', () => {
  assert.deepEqual(prefixRange('/a/'), { key: Buffer.from('/a/'), rangeEnd: Buffer.from('/a0') });
  assert.deepEqual(prefixRange('é').rangeEnd, Buffer.from([0xc3, 0xaa]));
  assert.deepEqual(prefixRange('\u{10ffff}').rangeEnd, Buffer.from([0xf4, 0x8f, 0xbf, 0xc0]));
  assert.deepEqual(prefixRange('\u007f').rangeEnd, Buffer.from([0x80]));
  assert.deepEqual(prefixRange(''), { key: Buffer.from([0]), rangeEnd: Buffer.from([0]) });
});

test('the rest of a range begins at a key', () => {
  const range = prefixRange('/b/');
  assert.deepEqual(rangeFrom(range, Buffer.from('/a')), range);
  assert.deepEqual(rangeFrom(range, Buffer.from('/b/x')), { key: Buffer.from('/b/x'), rangeEnd: range.rangeEnd });
  assert.equal(rangeFrom(range, Buffer.from('/b0')), undefined);
  assert.equal(rangeFrom(range, Buffer.from('/c')), undefined);
  assert.deepEqual(rangeFrom(prefixRange(''), Buffer.from('/c'))?.key, Buffer.from('/c'));
  assert.deepEqual(keyAfter('/a'), Buffer.from('/a\0'));
});
