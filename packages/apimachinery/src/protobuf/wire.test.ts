import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { DecodeError } from '../serializer/index.js';
import { WireReader } from './wire-reader.js';
import { DELIMITED } from './wire-type.js';
import { writeMessage } from './wire-writer.js';

const reading = (...bytes: number[]): WireReader => new WireReader(Uint8Array.from(bytes));
const refusal = (message: string): DecodeError => new DecodeError(message);

test('integers survive a round trip in the fewest bytes', () => {
  const edges = [
    0,
    127,
    128,
    16_383,
    16_384,
    2 ** 31,
    2 ** 49 - 1,
    2 ** 49,
    Number.MAX_SAFE_INTEGER,
    -1,
    2n ** 63n - 1n,
    -(2n ** 63n),
  ];
  const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
  const roundTrip = (value: number | bigint): void => {
    const bytes = writeMessage((writer) => writer.integer(value));
    const bits = BigInt.asUintN(64, BigInt(value)).toString(2).length;
    assert.equal(bytes.length, Math.ceil(bits / 7));
    assert.equal(BigInt(new WireReader(bytes).int64()), BigInt(value));
  };
  for (const value of edges) roundTrip(value);
  fc.assert(fc.property(int64, (value) => roundTrip(Number.isSafeInteger(Number(value)) ? Number(value) : value)));
});

test('messages of any length are written the same, whatever space is left', () => {
  const edges = [127, 128, 16_383, 16_384, 2 ** 40];
  for (let before = 16_384 - 60; before <= 16_384; before++) {
    const bytes = writeMessage((writer) => {
      writer.bytes(Buffer.alloc(before));
      for (const edge of edges) writer.varint(edge);
      writer.string('é');
    });
    const reader = new WireReader(bytes);
    assert.equal(reader.string(), 'é');
    for (const edge of edges.toReversed()) assert.equal(reader.int64(), edge, `after ${before} bytes`);
    assert.equal(bytes.length, before + 3 + 1 + 2 + 2 + 3 + 6);
  }
});

test('excess bits are truncated, as in Go', () => {
  assert.equal(reading(0xff, 0xff, 0xff, 0xff, 0x1f).int32(), -1);
  assert.equal(reading(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f).int64(), -1);
});

test('varints that are truncated or longer than ten bytes are rejected', () => {
  const eleven = Array.from({ length: 11 }, () => 0x80);
  assert.throws(() => reading(...eleven).int64(), refusal('proto: integer overflow'));
  assert.throws(() => reading(...eleven).int32(), refusal('proto: integer overflow'));
  assert.throws(() => reading(0x80).int64(), refusal('unexpected EOF'));
});

test('lengths cannot exceed the enclosing message', () => {
  const reader = reading(2, 3, 0x61, 0x62);
  reader.enter();
  assert.throws(() => reader.string(), refusal('unexpected EOF'));
  assert.throws(() => reading(0xff, 0xff, 0xff, 0xff, 0x07, 0x61).bytes(), refusal('unexpected EOF'));
  const negative = reading(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
  assert.throws(() => negative.bytes(), refusal('proto: negative length found during unmarshaling'));
});

test('tags without a field are rejected', () => {
  const reader = reading(0x9a, 0x01);
  reader.tag('Pod');
  assert.deepEqual([reader.number, reader.wireType], [19, DELIMITED]);
  assert.throws(() => reading(0x0c).tag('Pod'), refusal('proto: Pod: wiretype end group for non-group'));
  assert.throws(() => reading(0x02).tag('Pod'), refusal('proto: Pod: illegal tag 0 (wire type 2)'));
});

test('nested groups are skipped without recursion', () => {
  const depth = 100_000;
  const groups = Buffer.concat([
    Buffer.alloc(depth, 0x0b),
    Buffer.from([0x08, 0x01]),
    Buffer.alloc(depth, 0x0c),
    Buffer.from([0x10]),
  ]);
  const reader = new WireReader(groups);
  reader.tag('Pod');
  reader.skip();
  reader.tag('Pod');
  assert.equal(reader.number, 2);
  const open = reading(0x0b, 0x08, 0x01);
  open.tag('Pod');
  assert.throws(() => open.skip(), refusal('unexpected EOF'));
  const odd = reading(0x0f);
  odd.tag('Pod');
  assert.throws(() => odd.skip(), refusal('proto: illegal wireType 7'));
});

test('strings of any length survive a round trip', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      assert.equal(new WireReader(writeMessage((writer) => writer.string(text))).string(), text);
    }),
  );
  const long = 'é'.repeat(100_000);
  assert.equal(new WireReader(writeMessage((writer) => writer.string(long))).string(), long);
});
