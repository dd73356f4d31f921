import assert from 'node:assert/strict';
import { it } from 'node:test';
import { humanDuration } from './human-duration.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

it('formats durations with two or three figures', () => {
  const cases: readonly (readonly [number, string])[] = [
    [-2 * second, '<invalid>'],
    [-1999, '0s'],
    [0, '0s'],
    [119_999, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 5 * second, '2m5s'],
    [10 * minute - 1, '9m59s'],
    [179 * minute + 59 * second, '179m'],
    [3 * hour, '3h'],
    [7 * hour + 59 * minute, '7h59m'],
    [8 * hour + minute, '8h'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [7 * day + 23 * hour, '7d23h'],
    [8 * day + 5 * hour, '8d'],
    [2 * year - 1, '729d'],
    [2 * year, '2y'],
    [3 * year + 20 * day, '3y20d'],
    [8 * year + 20 * day, '8y'],
  ];
  for (const [milliseconds, expected] of cases)
    assert.equal(humanDuration(milliseconds), expected, String(milliseconds));
});
