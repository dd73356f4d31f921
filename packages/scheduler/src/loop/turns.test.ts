import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { Steps } from '@binnacle/apimachinery/work';
import { inShortTurns } from './turns.js';

const clock = new VirtualClock();

function* work(log: string[]): Steps<string> {
  for (let step = 1; step <= 5; step++) {
    log.push(`step ${step}`);
    clock.skip(2);
    yield;
  }
  return 'done';
}

it('a long computation lets other work run after a few milliseconds', async () => {
  const log: string[] = [];
  setImmediate(() => log.push('other'));
  const result = inShortTurns(work(log), clock, new AbortController().signal);
  assert.equal(await result, 'done');
  assert.deepEqual(log, ['step 1', 'step 2', 'step 3', 'other', 'step 4', 'step 5']);
});

it('a computation ends with its signal', async () => {
  const controller = new AbortController();
  const log: string[] = [];
  const result = inShortTurns(work(log), clock, controller.signal);
  controller.abort(new Error('the loop ends'));
  await assert.rejects(result, /the loop ends/);
  assert.equal(log.length, 3);
});
