import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finish, type Steps } from '../../work/index.js';
import { indexOfText, lastIndexOfText, splitText } from './search.js';

const A = 'a'.repeat(3000);
/** Long enough for the linear search. */
const CASES: readonly (readonly [text: string, part: string])[] = [
  [A + A, `${A.slice(0, 1000)}b${A.slice(0, 1000)}`],
  [`${A}b${A}`, `${A.slice(0, 1000)}b${A.slice(0, 1000)}`],
  [`${'ab'.repeat(2000)}c${'ab'.repeat(2000)}`, 'ab'.repeat(1000)],
  [A + A, A],
  [`${A}b`, `${A}b`],
  [A, `${A}b`],
  [`x${'aab'.repeat(1500)}y`, `${'aab'.repeat(500)}aa`],
];

/** The result and the number of steps. */
function count<T>(steps: Steps<T>): { readonly value: T; readonly steps: number } {
  for (let made = 1; ; made++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, steps: made };
  }
}

describe('a linear search', () => {
  for (const [index, [text, part]] of CASES.entries()) {
    test(`finds what the engine finds: ${index}`, () => {
      assert.deepEqual(finish(splitText(text, part)), text.split(part));
      for (const from of [0, 1, 500, text.length]) {
        assert.equal(finish(indexOfText(text, part, from)), text.indexOf(part, from), `from ${from}`);
        assert.equal(finish(lastIndexOfText(text, part, from)), text.lastIndexOf(part, from), `up to ${from}`);
      }
    });
  }

  test('splits at the first occurrences', () => {
    assert.deepEqual(finish(splitText('a,b,c', ',', 1)), ['a', 'b,c']);
    assert.deepEqual(finish(splitText('a,b,c', ',', 0)), ['a,b,c']);
    assert.deepEqual(finish(splitText(A + A + A, A, 2)), ['', '', A]);
  });

  test('takes steps in proportion to both texts', () => {
    const text = 'a'.repeat(1_000_000);
    const part = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`;
    for (const search of [indexOfText(text, part), lastIndexOfText(text, part)]) {
      const { value, steps } = count(search);
      assert.equal(value, -1);
      assert.ok(steps >= 5 && steps <= 10, `${steps} steps`);
    }
    assert.ok(count(splitText(text, part)).steps <= 10);
  });
});
