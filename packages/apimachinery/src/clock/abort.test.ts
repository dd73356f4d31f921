import assert from 'node:assert/strict';
import { test } from 'node:test';
import { abortable, untilAborted } from './abort.js';

test('an abort rejects with its reason, and the promise behind it may fail unseen', async () => {
  const reason = new Error('gone');
  const ended = new AbortController();
  const pending = abortable(new Promise<never>(() => undefined), ended.signal);
  ended.abort(reason);
  await assert.rejects(pending, reason);
  await assert.rejects(abortable(Promise.reject(new Error('later')), ended.signal), reason);
  assert.equal(await abortable(Promise.resolve(1), new AbortController().signal), 1);
  assert.equal(await abortable(Promise.resolve(1), undefined), 1);
});

test('a wait for an abort ends with it, also when it is over', async () => {
  const ended = new AbortController();
  const waits = [untilAborted(ended.signal), untilAborted(ended.signal)];
  ended.abort();
  await Promise.all([...waits, untilAborted(ended.signal)]);
});
