import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { inTurns } from './in-turns.js';

const items = Array.from({ length: 200 }, (_, index) => index);

describe('inTurns', () => {
  it('yields to other work only when visiting items takes long', async (context) => {
    // By then, the turn of an earlier test is over.
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    for (const cost of [0, 5]) {
      const visited: number[] = [];
      const seenByOthers: number[] = [];
      let over = false;
      const watch = (): void => {
        seenByOthers.push(visited.length);
        if (!over) setImmediate(watch);
      };
      setImmediate(watch);
      await inTurns(items, (item) => {
        time += cost;
        visited.push(item);
      });
      over = true;
      assert.deepEqual(visited, items);
      assert.equal(
        seenByOthers.some((count) => count > 0 && count < items.length),
        cost > 0,
      );
    }
  });

  it('fails with the error of its visitor', async () => {
    const visit = (item: number): void => {
      if (item === 3) throw new Error('three');
    };
    await assert.rejects(inTurns(items, visit), /three/);
  });
});
