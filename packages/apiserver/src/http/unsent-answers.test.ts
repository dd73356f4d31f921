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
  const unsent = new UnsentAnswers(1000);
  const taken = answerOf('taken');
  unsent.add(taken);
  unsent.add(answerOf('first'));
  pass(500);
  unsent.add(answerOf('second'));
  unsent.delete(taken);
  pass(499);
  assert.deepEqual(broken, []);
  pass(1);
  assert.deepEqual(broken, ['first']);
  pass(500);
  assert.deepEqual(broken, ['first', 'second']);
});
