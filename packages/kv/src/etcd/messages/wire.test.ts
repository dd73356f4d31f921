import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageReader, MessageWriter } from './wire.js';

test('wire: writes the expected bytes', () => {
  const writer = new MessageWriter(64);
  const mark = writer.mark;
  writer.integer(1, 150);
  writer.nest(3, mark);
  writer.bytes(2, Buffer.from('testing'));
  assert.equal(writer.finish().toString('hex'), '120774657374696e671a03089601');
});

test('wire: round-trips integers of all lengths', () => {
  for (const value of [
    0,
    1,
    127,
    128,
    2 ** 28 - 1,
    2 ** 28,
    2 ** 31,
    2 ** 32,
    2 ** 35 + 5,
    2 ** 49,
    Number.MAX_SAFE_INTEGER,
  ]) {
    const writer = new MessageWriter(16);
    writer.integer(7, value);
    const reader = new MessageReader(writer.finish());
    assert.equal(reader.next(), 7);
    assert.equal(reader.integer(), value);
    assert.equal(reader.next(), 0);
  }
});

test('wire: reads negative integers, and all 64 bits of a long', () => {
  const minusOne = new MessageReader(Buffer.from('08ffffffffffffffffff01', 'hex'));
  assert.equal(minusOne.next(), 1);
  assert.equal(minusOne.integer(), -1);
  for (const value of [0n, 1n, 127n, 128n, 7_587_862_094_938_112_345n, 2n ** 63n - 1n, -1n]) {
    const writer = new MessageWriter(16);
    writer.long(1, value);
    const reader = new MessageReader(writer.finish());
    reader.next();
    assert.equal(reader.long(), value);
  }
});

test('wire: skips unknown fields of each type', () => {
  const known = new MessageWriter(16);
  known.integer(9, 5);
  const unknown = Buffer.from('080112026162190102030405060708250102030428ff01', 'hex');
  const reader = new MessageReader(Buffer.concat([unknown, known.finish()]));
  const fields = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    fields.push(field);
    if (field === 9) assert.equal(reader.integer(), 5);
    else reader.skip();
  }
  assert.deepEqual(fields, [1, 2, 3, 4, 5, 9]);
});

test('wire: throws for a truncated or invalid message', () => {
  for (const hex of ['0a05616263', '08ff', '08ffffffffffffffffffff01', '190102', '0b', '0affffffffffffffffff01']) {
    const reader = new MessageReader(Buffer.from(hex, 'hex'));
    assert.throws(() => {
      reader.next();
      reader.skip();
      if (hex.startsWith('08ffff')) new MessageReader(Buffer.from(hex.slice(2), 'hex')).integer();
    }, hex);
  }
});

test('wire: copies what it reads', () => {
  const message = Buffer.from('0a03616263', 'hex');
  const reader = new MessageReader(message);
  reader.next();
  const value = reader.bytes();
  message.fill(0);
  assert.equal(Buffer.from(value).toString(), 'abc');
});
