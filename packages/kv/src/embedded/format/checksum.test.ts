import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { checksum } from './checksum.js';

test('a checksum is the CRC-32 of its range, short or long, after any seed', () => {
  const bytes = fc.uint8Array({ maxLength: 300, size: 'max' });
  const bound = fc.nat({ max: 300 });
  fc.assert(
    fc.property(bytes, bound, bound, fc.integer({ min: 0, max: 0xffff_ffff }), (all, one, other, seed) => {
      const start = Math.min(one, other, all.length);
      const end = Math.min(Math.max(one, other), all.length);
      // Node ignores the seed of no bytes.
      if (start < end) assert.equal(checksum(all, start, end, seed), crc32(all.subarray(start, end), seed));
      assert.equal(checksum(all, 0, all.length), crc32(all));
    }),
  );
});
