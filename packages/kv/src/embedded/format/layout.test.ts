import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  decodeHeader,
  decodeMeta,
  decodePointer,
  decodeRecord,
  encodeExpiryKey,
  encodeMeta,
  encodePointer,
  encodeRecord,
  originIn,
  readNumber,
  valueIn,
  writeNumber,
} from './layout.js';
import { encodeOrigin } from './origin.js';

const number = fc.maxSafeNat();

test('records and pointers decode to the written values', () => {
  const record = fc.record({
    type: fc.constantFrom('put' as const, 'delete' as const),
    key: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    createRevision: number,
    previousRevision: number,
    expiresAt: number,
    tag: fc.integer({ min: 0, max: 0xffff_ffff }),
    value: fc.uint8Array({ maxLength: 200 }),
  });
  const text = fc.string({ unit: 'binary', maxLength: 16 });
  const mark = fc.oneof(text, fc.uuid());
  const origin = fc.record({ time: number, author: fc.option(fc.record({ name: text, mark }), { nil: undefined }) });
  fc.assert(
    fc.property(number, record, fc.option(origin), fc.nat({ max: 2 }), (revision, written, made, authorId) => {
      const bytes = encodeRecord(revision, written, made === null ? undefined : encodeOrigin(made, authorId));
      const read = decodeRecord(revision, bytes);
      assert.deepEqual({ ...read, value: Uint8Array.from(read.value) }, { ...written });
      assert.deepEqual(valueIn(revision, bytes), read.value);
      const { time, author } = made ?? { time: 0 };
      const name = authorId === 0 ? (author?.name ?? '') : '';
      const stored = made === null ? undefined : { time, authorId, name, mark: author?.mark ?? '' };
      assert.deepEqual(originIn(revision, bytes), stored);
    }),
  );
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

/** All copies of `bytes` with one bit flipped. */
function* flips(bytes: Buffer): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    yield flipped;
  }
}

const damaged = { name: 'KVError', code: 'corrupt' };
const value = Buffer.from('{"kind":"Thing"}');
const head = {
  type: 'put',
  key: '/registry/a',
  createRevision: 5,
  previousRevision: 0,
  expiresAt: 7,
  tag: 9,
} as const;

function checkRecord(record: Buffer): void {
  let values = 0;
  for (const flipped of flips(record)) {
    assert.throws(() => decodeRecord(5, flipped), damaged);
    if (flipped.subarray(-value.length).equals(value)) {
      assert.throws(() => decodeHeader(5, flipped), damaged);
    } else {
      assert.deepEqual(decodeHeader(5, flipped), head, 'the head of a damaged value is sound');
      values += 1;
    }
  }
  assert.equal(values, value.length * 8);
  for (let length = 0; length < record.length; length += 1) {
    assert.throws(() => decodeRecord(5, record.subarray(0, length)), damaged);
  }
  for (const revision of [1, 4, 7, 5 + 2 ** 32, 2 ** 52 + 5])
    assert.throws(() => decodeHeader(revision, record), damaged);
}

test('a flipped bit in a record, pointer, key or number is always detected', () => {
  const author = { name: 'ann', mark: '0a1b2c3d-0000-4000-8000-00112233ffee' };
  for (const origin of [undefined, encodeOrigin({ time: 7, author }, 0)]) {
    checkRecord(encodeRecord(5, { ...head, value }, origin));
  }

  const key = Buffer.from('/registry/a');
  const pointer = encodePointer(key, { createRevision: 5, modRevision: 5 });
  for (const flipped of flips(pointer)) assert.equal(decodePointer(key, flipped), undefined);
  for (const flipped of flips(key)) assert.equal(decodePointer(flipped, pointer), undefined);

  for (const flipped of flips(encodeMeta('revision', 120))) assert.equal(decodeMeta('revision', flipped), undefined);
  assert.equal(decodeMeta('revision', encodeMeta('compacted', 120)), undefined);
});
