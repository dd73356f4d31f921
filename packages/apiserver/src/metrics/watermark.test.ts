import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Watermark } from './watermark.js';

test('the maximum within the last whole second', () => {
  const watermark = new Watermark();
  watermark.enter(10_000);
  watermark.enter(10_100);
  watermark.leave(10_200);
  watermark.enter(10_300);
  watermark.enter(10_900);
  watermark.leave(10_950);
  assert.equal(watermark.read(10_999), 0, 'the second is not over');
  assert.equal(watermark.read(11_000), 3);
  watermark.leave(11_500);
  assert.equal(watermark.read(12_000), 2, 'as many as it began with');
  assert.equal(watermark.read(13_000), 1);
  watermark.leave(13_500);
  assert.equal(watermark.read(19_000), 0);
});
