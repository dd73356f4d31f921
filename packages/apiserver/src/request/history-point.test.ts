import { TimeParseError } from '@binnacle/apimachinery/time';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHistoryPoint } from './history-point.js';

test('a point is a resourceVersion or a time', () => {
  assert.deepEqual(parseHistoryPoint('12'), { type: 'revision', revision: 12 });
  const time = Date.UTC(2026, 10, 28, 10, 5, 0, 123);
  assert.deepEqual(parseHistoryPoint('2026-11-28T10:05:00.1239Z'), { type: 'time', time });
  for (const text of ['', '10m', '1234567890123456', '-1', 'today']) {
    assert.throws(() => parseHistoryPoint(text), TimeParseError);
  }
});
