import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quotaWarnings } from './quota-warnings.js';

const cases: readonly [hard: Record<string, string>, expected: readonly string[]][] = [
  [{}, []],
  [{ 'requests.cpu': '2' }, []],
  [{ 'requests.cpu': '1', 'limits.cpu': '1000m' }, []],
  [
    { 'requests.cpu': '2', 'limits.cpu': '1', memory: '3Gi', 'limits.memory': '2Gi' },
    [
      'ResourceQuota requests.cpu (2) should be less than limits.cpu (1)',
      'ResourceQuota memory (3Gi) should be less than limits.memory (2Gi)',
    ],
  ],
  [{ cpu: '5', 'requests.cpu': '1', 'limits.cpu': '2' }, []],
  [{ 'ephemeral-storage': '5', 'limits.ephemeral-storage': '2' }, []],
  [
    { 'requests.ephemeral-storage': '5', 'limits.ephemeral-storage': '2' },
    ['ResourceQuota requests.ephemeral-storage (5) should be less than limits.ephemeral-storage (2)'],
  ],
];

for (const [hard, expected] of cases) {
  test(`a quota of ${JSON.stringify(hard)}`, () => assert.deepEqual(quotaWarnings({ spec: { hard } }), expected));
}
