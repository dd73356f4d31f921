import assert from 'node:assert/strict';
import { it } from 'node:test';
import { invalid, required } from './index.js';

it('invalid tells 10,000 errors at most', () => {
  const errors = Array.from({ length: 20_000 }, (_, index) => required(`f${index}`, ''));
  const { status } = invalid({ group: '', kind: 'Pod' }, 'a', errors);
  assert.equal(status.details?.causes?.length, 10_000);
  assert.match(status.message ?? '', /f9999: Required value/);
  assert.doesNotMatch(status.message ?? '', /f10000: /);
});
