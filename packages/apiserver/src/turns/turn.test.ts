import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { isTurnOver, nextTurn } from './turn.js';

describe('turns', () => {
  it('are over after some milliseconds, whoever has worked in them, and begin with the next turn of the loop', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    assert.equal(isTurnOver(), false);
    time = 4;
    assert.equal(isTurnOver(), false);
    time = 6;
    assert.equal(isTurnOver(), true);
    await loop();
    assert.equal(isTurnOver(), false);
  });

  it('are given in the order of the line, one in each turn of the loop', async () => {
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (const round of [1, 2]) {
        await nextTurn();
        order.push(`${name}${round}`);
      }
    };
    const looped = (async () => {
      for (let turn = 0; turn < 3; turn++) {
        await loop();
        order.push('.');
      }
    })();
    await Promise.all([work('a'), work('b'), looped]);
    const given = order.filter((name) => name !== '.');
    assert.deepEqual(given, ['a1', 'b1', 'a2', 'b2']);
    assert.ok(order.lastIndexOf('.') > order.indexOf('b1'), 'others run in between');
  });
});
