import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS_MAXIMUM } from '@binnacle/apimachinery/status';
import { validateQuobyte } from './volume-drivers.js';

test('a registry of a million wrong pairs has as many errors as an answer may', () => {
  const errors = validateQuobyte({ registry: 'a,'.repeat(1_400_000), volume: 'v' }, 'quobyte');
  assert.equal(errors.length, ERRORS_MAXIMUM);
});
