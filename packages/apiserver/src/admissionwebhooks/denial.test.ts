import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Status } from '@binnacle/apimachinery/status';
import { denial } from './denial.js';

const WHO = 'admission webhook "w" denied the request';
const cases: readonly (readonly [given: Partial<Status> | undefined, expected: Partial<Status>])[] = [
  [undefined, { code: 400, message: `${WHO} without explanation` }],
  [{ message: 'no' }, { code: 400, message: `${WHO}: no` }],
  [
    { code: 1000, message: 'no' },
    { code: 500, message: `${WHO}: no` },
  ],
  [{ reason: 'NotFound' }, { code: 400, reason: 'NotFound', message: `${WHO}: NotFound` }],
  [
    { code: 200, status: 'Success', message: 'no' },
    { code: 400, status: 'Failure', message: `${WHO}: no` },
  ],
  [
    { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 7 } },
    { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 7 }, message: `${WHO}: TooManyRequests` },
  ],
];

describe('a denial', () => {
  for (const [given, expected] of cases) {
    it(JSON.stringify(given) ?? 'without a status', () => {
      const { kind, apiVersion, metadata, ...rest } = denial('w', given).status;
      assert.deepEqual([kind, apiVersion, metadata], ['Status', 'v1', {}]);
      assert.deepEqual(rest, { status: 'Failure', ...expected });
    });
  }
});
