import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UnsentAnswers } from './unsent-answers.js';

it('breaks off the answers that are not taken in time, and no others', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    context.mock.timers.tick(milliseconds);
  };
  const broken: string[] = [];
  const answerOf = (name: string) => ({ breakOff: () => broken.push(name) });
  const unsent = new UnsentAnswers(1000, 1_000_000);
  const taken = answerOf('taken');
  unsent.add(taken, 1);
  unsent.add(answerOf('first'), 1);
  pass(500);
  unsent.add(answerOf('second'), 1);
  unsent.delete(taken);
  pass(499);
  assert.deepEqual(broken, []);
  pass(1);
  assert.deepEqual(broken, ['first']);
  pass(500);
  assert.deepEqual(broken, ['first', 'second']);
});

it('breaks off those that have waited longest, where all together hold too much', () => {
  const broken: number[] = [];
  const unsent = new UnsentAnswers(60_000, 1_000_000);
  const answers = [0, 1, 2, 3].map((index) => ({ breakOff: () => broken.push(index) }));
  const add = (index: number, bytes: number): void => unsent.add(answers[index] ?? assert.fail(), bytes);
  add(0, 300_000);
  add(1, 300_000);
  unsent.delete(answers[0] ?? assert.fail());
  add(2, 300_000);
  add(0, 300_000);
  assert.deepEqual(broken, []);
  add(3, 500_000);
  assert.deepEqual(broken, [1, 2]);
});

it('breaks off answers without a body, where there are too many', () => {
  let broken = 0;
  const unsent = new UnsentAnswers(60_000, 1_000_000);
  for (let index = 0; index < 1000; index++) unsent.add({ breakOff: () => broken++ }, 0);
  assert.ok(broken > 900);
});
