import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeProtobuf } from './encode.js';
import { JsonIndex } from './json-index.js';
import { messagePlan } from './plan.js';
import { everything } from './schema.testing.js';

test('structs without fields take no more room than list entries', () => {
  const members = 100_000;
  const index = new JsonIndex();
  index.read(Buffer.from(`{"members":[${'{},'.repeat(members - 1)}{}]}`), messagePlan(everything));
  assert.ok(index.integers.length < 8 * members, `${index.integers.length}`);
  const bytes = encodeProtobuf({ members: [{}, {}] }, everything);
  assert.ok(Buffer.from(bytes).toString('hex').includes('8a01040a0010008a01040a001000'));
});

test('a large document leaves a small index, and no reference to itself', () => {
  const index = new JsonIndex();
  const small = index.integers.length;
  index.read(Buffer.from(`{"numbers":[${'1,'.repeat(1_000_000)}1]}`), messagePlan(everything));
  assert.ok(index.integers.length > small);
  index.reset();
  assert.equal(index.integers.length, small);
  assert.equal(index.json.length, 0);
  assert.ok(index.integers.every((integer) => integer === 0));
});
