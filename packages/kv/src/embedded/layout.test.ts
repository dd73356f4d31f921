import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  decodePointer,
  decodeRecord,
  encodeExpiryKey,
  encodePointer,
  encodeRecord,
  readNumber,
  writeNumber,
} from './layout.js';

const number = fc.maxSafeNat();

test('records and pointers are read as they were written', () => {
  const record = fc.record({
    type: fc.constantFrom('put' as const, 'delete' as const),
    key: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    createRevision: number,
    previousRevision: number,
    expiresAt: number,
    value: fc.uint8Array({ maxLength: 200 }),
  });
  fc.assert(
    fc.property(record, (written) => {
      const read = decodeRecord(encodeRecord(written));
      assert.deepEqual({ ...read, value: Uint8Array.from(read.value) }, { ...written });
    }),
  );
  fc.assert(
    fc.property(number, number, (createRevision, modRevision) => {
      assert.deepEqual(decodePointer(encodePointer({ createRevision, modRevision })), { createRevision, modRevision });
    }),
  );
});

test('numbers sort as their bytes', () => {
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
