import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { applyDifference, encodeDifference } from './difference.js';

const bytes = fc.uint8Array({ maxLength: 300 });

/** Two values that share parts, as those of one object do. */
const pair = fc.oneof(
  fc.tuple(bytes, bytes),
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
      assert.deepEqual(applyDifference(difference, base, value.length), Buffer.from(value));
    }),
  );
});

test('the difference of similar values is short, also of long ones', () => {
  for (const size of [10, 1000]) {
    const items = Array.from({ length: size }, (_, index) => `"item-${index}":"${index * 7919}"`);
    const value = (phase: string) => Buffer.from(`{${items.join()},"phase":"${phase}",${items.join()}}`);
    const [former, next] = [value('Pending'), value('Running')];
    const difference = encodeDifference(former, next);
    assert.ok(difference.length < 32, String(difference.length));
    assert.deepEqual(applyDifference(difference, next, former.length), former);
  }
});

test('a value without a base is deflated, and stays as it is where that is shorter', () => {
  const none = Buffer.alloc(0);
  const text = Buffer.from('abc'.repeat(1000));
  assert.ok(encodeDifference(text, none).length < 50);
  assert.equal(encodeDifference(Buffer.from('ab'), none).length, 10);
});

test('whatever else is applied is an error, or has the wanted length', () => {
  fc.assert(
    fc.property(bytes, bytes, fc.nat(400), (difference, base, length) => {
      let value: Buffer;
      try {
        value = applyDifference(Buffer.from(difference), base, length);
      } catch (error) {
        assert.ok(error instanceof Error);
        return;
      }
      assert.equal(value.length, length);
    }),
  );
});
