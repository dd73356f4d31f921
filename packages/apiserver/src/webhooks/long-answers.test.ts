import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LongAnswers } from './long-answers.js';

it('long answers take turns in order, and leave the queue with their call', async () => {
  const answers = new LongAnswers(1);
  const forever = new AbortController().signal;
  const entered: string[] = [];
  const enter = (name: string, signal = forever) =>
    answers.enter(signal).then((turn) => {
      entered.push(name);
      return turn;
    });
  const first = await enter('first');
  const controller = new AbortController();
  const second = enter('second', controller.signal);
  const third = enter('third');
  controller.abort(new Error('over'));
  await assert.rejects(second, /over/);
  assert.deepEqual(entered, ['first']);
  first[Symbol.dispose]();
  const turn = await third;
  assert.deepEqual(entered, ['first', 'third']);
  turn[Symbol.dispose]();
  await enter('fourth');
  assert.deepEqual(entered, ['first', 'third', 'fourth']);
});
