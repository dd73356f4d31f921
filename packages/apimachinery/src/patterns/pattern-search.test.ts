import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RE2JS } from 're2js';
import { counted } from '../testing/index.js';
import { finish } from '../work/index.js';
import { isLongSearch, searchPattern } from './pattern-search.js';

const PATTERNS = [
  'a',
  'a*',
  'a*?',
  '(a|ab)(c|bcd)?',
  '^a|b$',
  '(?m)^a+$',
  '\\bab\\b',
  '\\Ba',
  '(?i)AB+',
  '[^a]+',
  '.',
  '(?s).+?c',
  'a{2,3}?',
  '(a?b?){3}[cd]$',
  'x*|b',
  'é|😀',
  '[à-ü😀]+',
  '$',
  '(a+b|a)',
  '\\pL+\\d',
];
const TEXTS = ['', 'a', 'aab', 'abcd', 'b\na\nab', 'ab ab_ab', 'aAbBcc', 'xéx😀x', '😀😀a', 'cab\ncd1', 'aaab'];

describe('a search in steps', () => {
  for (const source of PATTERNS) {
    test(`finds what the engine finds: ${source}`, () => {
      const pattern = RE2JS.compile(source);
      for (const text of TEXTS) {
        const matcher = pattern.matcher(text);
        for (let from = 0; from <= text.length; from++) {
          if (text.charCodeAt(from) >= 0xdc00 && text.charCodeAt(from) < 0xe000) continue;
          const expected = matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
          assert.deepEqual(
            finish(searchPattern(pattern, text, from)),
            expected,
            `${JSON.stringify(text)} from ${from}`,
          );
        }
      }
    });
  }

  test('takes steps in proportion to the text and the pattern', () => {
    const yieldsOf = (text: string): number => {
      const { result, yields } = counted(searchPattern(RE2JS.compile('(a?b?){60}[cd]$'), text, 0));
      assert.equal(result, undefined);
      return yields;
    };
    const few = yieldsOf('ab'.repeat(1000));
    const many = yieldsOf('ab'.repeat(4000));
    assert.ok(few >= 3 && many >= 3 * few && many <= 5 * few + 5, `${few} and ${many} yields`);
  });

  test('is for long texts and large patterns', () => {
    assert.equal(isLongSearch(RE2JS.compile('^[a-z]+$'), 10_000), false);
    assert.equal(isLongSearch(RE2JS.compile('(a?b?){60}[cd]$'), 100_000), true);
  });
});
