import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compilationWork, patternSize } from './pattern-size.js';

const sizes: readonly (readonly [pattern: string, size: number])[] = [
  ['', 0],
  ['abc', 3],
  ['[a-z0-9]', 1],
  ['[\\]a]b', 2],
  ['[^]a]b', 2],
  ['[]a]b', 2],
  ['\\(a', 2],
  ['a{3}', 3],
  ['a{1,50}', 50],
  ['a{2,}', 2],
  ['a{x}', 4],
  ['(ab){10}', 40],
  ['((a{10}){10}){10}', 1220],
  ['(((', 6],
  [')))', 0],
  ['\\pL', 40],
  ['\\pL{10}', 400],
  ['\\\\pL', 3],
  ['\\p{Greek}{10}b', 401],
  ['\\p{Greek', 40],
  ['[a\\PL\\p{Greek}]b', 82],
  ['[]-]b', 2],
  ['[a-]b', 2],
  ['[a-\\pL]b', 41],
  ['[B-\\x{1e942}]', 1],
  ['(?i)[B-\\x{1e942}]', 1257],
  ['(?i)[B-\u{1e942}]', 1256],
  ['(?si)[\\x42-\\x{1e942}]', 1258],
  ['(?i)[\\x{0}-\\d\\n-\\t]', 6],
  ['[a\\\\pL]', 1],
  [`[${'a-z'.repeat(800)}]`, 300],
];

for (const [pattern, size] of sizes) {
  it(`${JSON.stringify(pattern)} has about ${size} states`, () => assert.equal(patternSize(pattern), size));
}

it('a pattern that would block the event loop exceeds the budget', () => {
  const classes = [
    '\\pL'.repeat(1001),
    `[${'\\pL'.repeat(1001)}]`,
    `[${'a-z'.repeat(110_000)}]`,
    `(?i)[${'B-\u{1e942}'.repeat(100)}]`,
  ];
  const groups = ['('.repeat(900_000), '(a|b)'.repeat(20_000)];
  for (const pattern of ['a?'.repeat(450_000), '(a{1000}){100}', ...groups, ...classes]) {
    assert.equal(compilationWork(pattern), Number.POSITIVE_INFINITY);
  }
});

it('ordinary patterns are cheap', () => {
  const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
  for (const pattern of [
    `^${label}(\\.${label})*$`,
    '^([0-9]{1,3}\\.){3}[0-9]{1,3}$',
    `^(${'name|'.repeat(1000)}end)$`,
  ]) {
    assert.ok(compilationWork(pattern) < 500_000, pattern.slice(0, 50));
  }
});
