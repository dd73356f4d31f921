import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checksum } from './checksum.js';
import { decodeRecord, noRecords, valueIn } from './condensed-record.js';
import { flips } from './flips.testing.js';
import { writeNumber } from './numbers.js';
import { encodeOrigin } from './origin.js';
import { condensedIn, decodeHeader, encodeCondensed, encodeForgotten, encodeRecord, originIn } from './record.js';

const number = fc.maxSafeNat();

test('records decode to the written values', () => {
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
      const read = decodeRecord(revision, bytes, noRecords);
      assert.deepEqual({ ...read, value: Uint8Array.from(read.value) }, { ...written });
      assert.deepEqual(valueIn(revision, bytes, noRecords), read.value);
      assert.equal(condensedIn(revision, bytes), undefined);
      const { time, author } = made ?? { time: 0 };
      const name = authorId === 0 ? (author?.name ?? '') : '';
      const stored = made === null ? undefined : { time, authorId, name, mark: author?.mark ?? '' };
      assert.deepEqual(originIn(revision, bytes), stored);

      const condensed = { height: 3, length: written.value.length, base: revision + 1 };
      const short = encodeCondensed(revision, bytes, condensed, Buffer.of(1, 2));
      assert.deepEqual(condensedIn(revision, short), { ...condensed, lengths: 'variable' });
      assert.deepEqual(originIn(revision, short), stored);
      assert.deepEqual(decodeHeader(revision, short), decodeHeader(revision, bytes));
      for (const before of [bytes, short]) {
        const forgotten = encodeForgotten(revision, before);
        assert.deepEqual(decodeHeader(revision, forgotten), { ...decodeHeader(revision, bytes), isForgotten: true });
        assert.deepEqual(originIn(revision, forgotten), stored);
        assert.throws(() => decodeRecord(revision, forgotten, noRecords), { code: 'compacted' });
      }
    }),
  );
});

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
const origins = [
  undefined,
  encodeOrigin({ time: 7, author: { name: 'ann', mark: '0a1b2c3d-0000-4000-8000-00112233ffee' } }, 0),
];

test('a flipped bit in a record is always detected', () => {
  for (const origin of origins) {
    const record = encodeRecord(5, { ...head, value }, origin);
    let values = 0;
    for (const flipped of flips(record)) {
      assert.throws(() => decodeRecord(5, flipped, noRecords), damaged);
      if (flipped.subarray(-value.length).equals(value)) {
        assert.throws(() => decodeHeader(5, flipped), damaged);
      } else {
        assert.deepEqual(decodeHeader(5, flipped), head, 'the head of a damaged value is sound');
        values += 1;
      }
    }
    assert.equal(values, value.length * 8);
    for (let length = 0; length < record.length; length += 1) {
      assert.throws(() => decodeRecord(5, record.subarray(0, length), noRecords), damaged);
    }
    for (const revision of [1, 4, 7, 5 + 2 ** 32, 2 ** 52 + 5])
      assert.throws(() => decodeHeader(revision, record), damaged);
  }
});

test('a condensed record of format 4 is read', () => {
  const whole = encodeRecord(5, { ...head, value }, origins[1]);
  const headEnd = whole.length - value.length - 4;
  const condensed = Buffer.alloc(13 + 4);
  condensed.writeUInt8(3, 0);
  condensed.writeUInt32BE(value.length, 1);
  writeNumber(condensed, 9, 5);
  const record = Buffer.concat([whole.subarray(0, headEnd), condensed, Buffer.of(1, 2)]);
  record[1] = 0x3c;
  record.writeUInt32BE(checksum(record, 0, headEnd + 13, 5), headEnd + 13);
  assert.deepEqual(condensedIn(5, record), { height: 3, length: value.length, base: 9, lengths: 'fixed' });
  assert.deepEqual(decodeHeader(5, record), head);
  assert.deepEqual(decodeHeader(5, encodeForgotten(5, record)), { ...head, isForgotten: true });
});
