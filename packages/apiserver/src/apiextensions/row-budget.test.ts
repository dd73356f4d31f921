import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RowBudget } from './row-budget.js';

for (const [what, shared, units, expected] of [
  ['an allowance, though the table has nothing left', -1, [5000], true],
  ['no more than the allowance then', 0, [5000, 1], false],
  ['what the table has left as well', 10, [5010], true],
  ['no more than that', 10, [5010, 1], false],
  ['a limit, however much the table has left', Number.MAX_SAFE_INTEGER, [100_000, 1], false],
] as const) {
  it(`a row has ${what}`, () => {
    const budget = new RowBudget(shared);
    assert.equal(units.map((each) => budget.spend(each)).at(-1), expected);
  });
}

it('a row takes from the table only what exceeds its own allowance, and no more than the table has left', () => {
  const used = (units: number) => {
    const budget = new RowBudget(10);
    budget.spend(units);
    return budget.shared;
  };
  assert.deepEqual([4000, 5004, 9000].map(used), [0, 4, 10]);
});

it('JSON costs more than text', () => {
  const text = new RowBudget(0);
  const json = new RowBudget(0);
  const characters = 'x'.repeat(16 * 5000 + 1);
  assert.deepEqual([text.spendText(characters), json.spendJson(characters)], [true, false]);
});
