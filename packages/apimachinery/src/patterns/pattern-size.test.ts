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
  ['(((', 0],
  [')))', 6],
];

for (const [pattern, size] of sizes) {
  it(`${JSON.stringify(pattern)} has about ${size} states`, () => assert.equal(patternSize(pattern), size));
}

it('a pattern that would block the event loop exceeds the budget', () => {
  for (const pattern of ['a?'.repeat(450_000), '(a{1000}){100}', '(a|b)'.repeat(20_000)]) {
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
