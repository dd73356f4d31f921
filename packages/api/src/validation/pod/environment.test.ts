import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateObjectField } from './environment.js';

const cases: readonly (readonly [fieldPath: string, error: string])[] = [
  ["metadata.labels['a']", ''],
  ["metadata.labels['']", 'name part must be non-empty'],
  ["metadata.labels['a']['b']", "field label not supported: metadata.labels['a']['b']"],
  ["metadata.labels['a']x", "field label not supported: metadata.labels['a']x"],
  ["['a']", "field label not supported: ['a']"],
  ["metadata.labels['", "field label not supported: metadata.labels['"],
  ["metadata.name['a']", 'does not support subscript'],
];

for (const [fieldPath, error] of cases)
  test(`a reference to ${fieldPath} ${error === '' ? 'is valid' : `is ${error}`}`, () => {
    const errors = validateObjectField({ apiVersion: 'v1', fieldPath }, ['metadata.name'], 'fieldRef');
    if (error === '') assert.deepEqual(errors, []);
    else assert.ok(errors[0]?.detail.includes(error), JSON.stringify(errors));
  });

test('a reference with a million brackets takes no minutes', () => {
  const fieldPath = "['".repeat(1_000_000);
  assert.equal(validateObjectField({ apiVersion: 'v1', fieldPath }, [], 'fieldRef').length, 1);
});
