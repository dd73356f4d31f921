import assert from 'node:assert/strict';
import { it } from 'node:test';
import { outcomeOf } from './observer.js';

it('the outcome of an expression follows from its message', () => {
  for (const [failure, outcome] of [
    ['compilation error: no such field', 'compile_error'],
    ['validation failed due to running out of cost budget, no further validation rules will be run', 'out_of_budget'],
    ['failed expression: false', 'invalid_error'],
    ["expression 'x' resulted in error: no such key: none", 'invalid_error'],
  ] as const)
    assert.equal(outcomeOf(failure), outcome, failure);
});
