import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applyDifference, encodeDifference } from './difference.js';

const bytes = fc.uint8Array({ maxLength: 300 });

/** Two values that share parts, as those of one object do. */
const pair = fc.oneof(
  fc.tuple(bytes, bytes),
  // Of one length, with a few other bytes.
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 9 }))
    .map(([base, changes]): [Uint8Array, Uint8Array] => {
      const value = Buffer.from(base);
      for (const [at, byte] of changes) value[at % value.length] = byte;
      return [value, base];
    }),
  fc
    .tuple(bytes, bytes, bytes, bytes)
    .map(([head, a, b, tail]): [Uint8Array, Uint8Array] => [
      Buffer.concat([head, a, tail]),
      Buffer.concat([head, b, tail]),
    ]),
);

test('a value is its base and the difference', () => {
  fc.assert(
    fc.property(pair, ([value, base]) => {
      const difference = encodeDifference(value, base);
      assert.deepEqual(applyDifference(difference, base, value.length, 'variable'), Buffer.from(value));
    }),
  );
});

test('the difference of similar values is short, also of long ones', () => {
  for (const size of [10, 1000]) {
    const items = Array.from({ length: size }, (_, index) => `"item-${index}":"${index * 7919}"`);
    const value = (phase: string) => Buffer.from(`{${items.join()},"phase":"${phase}",${items.join()}}`);
    const [former, next] = [value('Pending'), value('Running')];
    const difference = encodeDifference(former, next);
    assert.ok(difference.length < 28, String(difference.length));
    assert.deepEqual(applyDifference(difference, next, former.length, 'variable'), former);
  }
});

test('the difference of values of one length has the bytes that differ', () => {
  const value = (second: string, step: string) =>
    Buffer.from(`{"time":"10:00:${second}",${'x'.repeat(4000)},"step":"${step}"}`);
  const [former, next] = [value('59', '41'), value('07', '42')];
  const difference = encodeDifference(former, next);
  assert.equal(difference.length, 9);
  assert.deepEqual(applyDifference(difference, next, former.length, 'variable'), former);
  assert.throws(() => applyDifference(difference, next.subarray(1), former.length, 'variable'), /another base/);
});

test('values of one length may differ everywhere, however long they are', () => {
  for (const size of [300_000, 1_500_000]) {
    const [value, base] = [Buffer.alloc(size, 'ab'), Buffer.alloc(size, 'cd')];
    base.fill('ab', 0, size * 0.6);
    const difference = encodeDifference(value, base);
    assert.deepEqual(applyDifference(difference, base, size, 'variable'), value);
  }
});

test('a value without a base is deflated, and stays as it is where that is shorter', () => {
  const none = Buffer.alloc(0);
  const text = Buffer.from('abc'.repeat(1000));
  assert.ok(encodeDifference(text, none).length < 50);
  assert.equal(encodeDifference(Buffer.from('ab'), none).length, 4);
});

test('whatever else is applied is an error, or has the wanted length', () => {
  fc.assert(
    fc.property(
      bytes,
      bytes,
      fc.nat(400),
      fc.constantFrom('fixed', 'variable'),
      (difference, base, length, lengths) => {
        let value: Buffer;
        try {
          value = applyDifference(Buffer.from(difference), base, length, lengths);
        } catch (error) {
          assert.ok(error instanceof Error);
          return;
        }
        assert.equal(value.length, length);
      },
    ),
  );
});

test('a difference of format 4 has lengths of 4 bytes', () => {
  const difference = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, ...Buffer.from('XY')]);
  const value = applyDifference(difference, Buffer.from('abcde'), 5, 'fixed');
  assert.equal(value.toString(), 'abXYe');
});
