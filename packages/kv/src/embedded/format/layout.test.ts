import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  decodeMeta,
  decodePointer,
  encodeExpiryKey,
  encodeMeta,
  encodePointer,
  readNumber,
  writeNumber,
} from './layout.js';
import { flips } from './flips.testing.js';

const number = fc.maxSafeNat();

test('pointers decode to the written values', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), number, number, (text, createRevision, modRevision) => {
      const key = Buffer.from(text);
      const pointer = { createRevision, modRevision };
      assert.deepEqual(decodePointer(key, encodePointer(key, pointer)), pointer);
    }),
  );
});

test('numbers sort by their bytes', () => {
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [left, right] = [Buffer.alloc(8), Buffer.alloc(8)];
      writeNumber(left, a, 0);
      writeNumber(right, b, 0);
      assert.equal(readNumber(left, 0), a);
      assert.equal(Buffer.compare(left, right), Math.sign(a - b));
      assert.equal(Buffer.compare(encodeExpiryKey(a, 5), encodeExpiryKey(b, 5)), Math.sign(a - b));
    }),
  );
});

test('a flipped bit in a pointer, key or number is always detected', () => {
  const key = Buffer.from('/registry/a');
  const pointer = encodePointer(key, { createRevision: 5, modRevision: 5 });
  for (const flipped of flips(pointer)) assert.equal(decodePointer(key, flipped), undefined);
  for (const flipped of flips(key)) assert.equal(decodePointer(flipped, pointer), undefined);

  for (const flipped of flips(encodeMeta('revision', 120))) assert.equal(decodeMeta('revision', flipped), undefined);
  assert.equal(decodeMeta('revision', encodeMeta('compacted', 120)), undefined);
});
