import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { counted } from '../../testing/index.js';
import { finish } from '../../work/index.js';
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
      const { result, yields } = counted(search);
      assert.equal(result, -1);
      assert.ok(yields >= 4 && yields <= 9, `${yields} yields`);
    }
    assert.ok(counted(splitText(text, part)).yields <= 9);
  });
});
