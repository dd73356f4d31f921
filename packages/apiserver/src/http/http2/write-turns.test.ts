import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { scheduleWrite } from './write-turns.js';

describe('writes', () => {
  it('go to clients in turn, and then to the connections of a client', async (context) => {
    context.mock.method(performance, 'now', () => 0);
    const order: string[] = [];
    for (const connection of ['flood 1', 'flood 2', 'flood 3', 'other 1']) {
      const [client] = connection.split(' ');
      scheduleWrite({ client }, () => order.push(connection));
    }
    assert.equal(order.length, 0);
    setImmediate(() => order.push('other work'));
    while (order.length < 5) await loop();
    assert.deepEqual(order, ['flood 1', 'other 1', 'other work', 'flood 2', 'flood 3']);
  });

  it('hold the loop for a millisecond, and let other work come before the rest', async (context) => {
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const order: string[] = [];
    for (let write = 1; write <= 5; write++)
      scheduleWrite({ client: 'flood' }, () => {
        time += 0.5;
        order.push(`write ${write}`);
      });
    setImmediate(() => order.push('other work'));
    while (order.length < 6) await loop();
    assert.deepEqual(order, ['write 1', 'write 2', 'other work', 'write 3', 'write 4', 'write 5']);
  });

  it('can be scheduled by a write', async () => {
    const order: string[] = [];
    const caller = { client: 'one' };
    scheduleWrite(caller, () => {
      order.push('first');
      scheduleWrite(caller, () => order.push('second'));
    });
    while (order.length < 2) await loop();
    assert.deepEqual(order, ['first', 'second']);
  });
});
