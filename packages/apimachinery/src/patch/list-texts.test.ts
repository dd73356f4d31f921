import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ListTexts } from './list-texts.js';

it('the texts of a list move with its items', () => {
  const texts = new ListTexts(
    3,
    new Map([
      [0, '1.0'],
      [2, '3.0'],
      [9, 'beyond'],
    ]),
  );
  const all = () => [texts.size, ...[0, 1, 2, 3].map((index) => texts.get(index))];
  assert.deepEqual(all(), [2, '1.0', undefined, '3.0', undefined]);
  texts.shift(0, 1);
  assert.deepEqual(all(), [2, undefined, '1.0', undefined, '3.0']);
  texts.set(0, '0.0');
  texts.shift(1, -1);
  assert.deepEqual(all(), [2, '0.0', undefined, '3.0', undefined]);
  texts.set(2, undefined);
  texts.set(0, '5e0');
  assert.deepEqual(all(), [1, '5e0', undefined, undefined, undefined]);
});
