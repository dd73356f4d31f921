import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { Pauses } from './pauses.js';
import { isTurnOver } from './turn.js';

describe('turns', () => {
  it('go first to computations that have had none', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const order: string[] = [];
    const compute = async (name: string, steps: number): Promise<void> => {
      const pauses = new Pauses();
      for (let step = 1; step <= steps; step++) {
        await pauses.next();
        order.push(`${name}${step}`);
        time += 3;
      }
    };
    isTurnOver();
    time = 3;
    const old = Array.from({ length: 50 }, () => compute('old', 9));
    // All have begun.
    while (order.length < 150) await loop();
    const before = order.length;
    await compute('new', 1);
    assert.ok(order.length - before <= 3, `${order.length - before} steps of 50 computations came before`);
    await Promise.all(old);
  });
});
