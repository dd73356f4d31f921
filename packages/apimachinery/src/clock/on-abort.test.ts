import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deadline, onAbort, systemClock } from './index.js';

describe('callbacks of a signal', () => {
  it('run once, in order, unless they are disposed', () => {
    const controller = new AbortController();
    const called: number[] = [];
    const callbacks = [0, 1, 2, 3].map((each) => onAbort(controller.signal, () => called.push(each)));
    callbacks[1]?.[Symbol.dispose]();
    controller.abort();
    for (const callback of callbacks) callback[Symbol.dispose]();
    assert.deepEqual(called, [0, 2, 3]);
  });

  it('may be disposed by one another', () => {
    const controller = new AbortController();
    const called: string[] = [];
    onAbort(controller.signal, () => second[Symbol.dispose]());
    const second = onAbort(controller.signal, () => called.push('second'));
    controller.abort();
    assert.deepEqual(called, []);
  });

  it('cost a signal one listener, and none after the last', (context) => {
    const { signal } = new AbortController();
    const add = context.mock.method(signal, 'addEventListener');
    const remove = context.mock.method(signal, 'removeEventListener');
    for (let round = 1; round <= 2; round++) {
      const deadlines = Array.from({ length: 1000 }, () => new Deadline(systemClock, undefined, signal, 'work'));
      for (const deadline of deadlines) deadline[Symbol.dispose]();
      deadlines[0]?.[Symbol.dispose]();
      assert.deepEqual([add.mock.callCount(), remove.mock.callCount()], [round, round]);
    }
  });
});
