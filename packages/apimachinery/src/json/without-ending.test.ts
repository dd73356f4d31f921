import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutEnding } from './without-ending.js';

describe('withoutEnding', () => {
  for (const [text, expected] of [
    ['', ''],
    ['a', 'a'],
    ['//', ''],
    ['a//', 'a'],
    ['//a//b/', '//a//b'],
    ['a/ ', 'a/ '],
  ] as const) {
    it(`leaves "${expected}" of "${text}"`, () => assert.equal(withoutEnding(text, '/'), expected));
  }

  it('takes a long run inside a text, which an expression would search for minutes', () => {
    const text = `a${' '.repeat(1_000_000)}b`;
    assert.equal(withoutEnding(`${text} `, ' '), text);
  });
});
