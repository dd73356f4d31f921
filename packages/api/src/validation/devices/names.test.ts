import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS_MAXIMUM } from '@binnacle/apimachinery/status';
import { validatePoolName } from './names.js';

test('a pool name of a million wrong parts has as many errors as an answer may', () => {
  const [first, ...others] = validatePoolName('A/'.repeat(1e6), 'pool');
  assert.equal(first?.type, 'FieldValueTooLong');
  assert.equal(others.length, ERRORS_MAXIMUM);
});
