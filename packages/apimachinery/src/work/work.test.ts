import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '../status/index.js';
import { finish, Pace, type Steps, WorkBudget } from './index.js';

function tooLarge(message: string) {
  return (error: unknown) => error instanceof StatusError && error.code === 413 && error.message === message;
}

describe('WorkBudget', () => {
  it('allows its limit, and no more', () => {
    const budget = new WorkBudget({ units: 10, addedBytes: 5 });
    budget.spend(10);
    budget.add(5);
    assert.throws(() => budget.spend(0.5), tooLarge('Request entity is too large: the request takes too much work'));
    assert.throws(() => budget.add(1), tooLarge('Request entity is too large: the request makes the object too large'));
  });

  it('ends a step once after much work', () => {
    const budget = new WorkBudget({ units: 1_000_000, addedBytes: 0 });
    assert.equal(budget.endsStep(), false);
    budget.spend(100_000);
    assert.equal(budget.endsStep(), true);
    assert.equal(budget.endsStep(), false);
  });
});

it('a pace ends a step after a number of visits', () => {
  const pace = new Pace(3);
  assert.deepEqual(
    Array.from({ length: 7 }, () => pace.endsStep()),
    [false, false, true, false, false, true, false],
  );
  const several = new Pace(3);
  assert.deepEqual(
    [2, 2, 2, 7, 1].map((visits) => several.endsStep(visits)),
    [false, true, false, true, false],
  );
});

it('finish runs all steps', () => {
  function* count(): Steps<number> {
    let steps = 0;
    for (; steps < 3; steps++) yield;
    return steps;
  }
  assert.equal(finish(count()), 3);
});
