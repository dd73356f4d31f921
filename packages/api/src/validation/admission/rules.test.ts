import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS_MAXIMUM } from '@binnacle/apimachinery/status';
import { validateMutatingOperations } from './rules.js';

test('a million wrong operations have as many errors as an answer may', () => {
  const rule = { operations: Array.from({ length: 1e6 }, () => 'DELETE') };
  const errors = validateMutatingOperations({ resourceRules: [rule, rule] }, 'spec');
  assert.equal(errors.length, ERRORS_MAXIMUM);
});
