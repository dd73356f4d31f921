import assert from 'node:assert/strict';
import { it } from 'node:test';
import { httpDate } from './http-date.js';

it('the date of an answer is that of the clock, kept for a while', () => {
  const before = Math.floor(Date.now() / 1000) * 1000;
  const date = httpDate();
  assert.match(date, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
  assert.ok(Date.parse(date) >= before - 1000 && Date.parse(date) <= Date.now());
  assert.equal(httpDate(), date);
});
