import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { entry, isTurnOver, nextTurn, ownTurn, Pauses, stage, withoutTurns } from './turn.js';

describe('turns', () => {
  it('are over after some milliseconds, whoever has used them, and start again with the next turn of the loop', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    assert.equal(isTurnOver(), false);
    time = 2;
    assert.equal(isTurnOver(), false);
    time = 3;
    assert.equal(isTurnOver(), true);
    await loop();
    assert.equal(isTurnOver(), false);
  });

  it('never end while a simulation has stopped them', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    isTurnOver();
    const [first, second] = [withoutTurns(), withoutTurns()];
    time = 3;
    assert.equal(isTurnOver(), false);
    assert.equal(ownTurn(), undefined);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    assert.equal(isTurnOver(), false);
    second[Symbol.dispose]();
    assert.equal(isTurnOver(), true);
  });

  it('are granted in order, and end one by one when each is used up', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (const round of [1, 2]) {
        await nextTurn();
        order.push(`${name}${round}`);
        time += 3;
      }
    };
    const others = (async () => {
      for (let turn = 0; turn < 4; turn++) {
        await loop();
        order.push('.');
      }
    })();
    await Promise.all([work('a'), work('b'), others]);
    assert.deepEqual(
      order.filter((name) => name !== '.'),
      ['a1', 'b1', 'a2', 'b2'],
    );
    const [first = 0, second = 0] = ['a1', 'b1'].map((name) => order.indexOf(name));
    assert.ok(order.slice(first, second).includes('.'), 'others run in between');
  });

  it('go to stages before long work, which gets one step after each stage', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const order: string[] = [];
    const work = async (name: string, pause: () => Promise<void> | undefined): Promise<void> => {
      for (const round of [1, 2]) {
        await pause();
        order.push(`${name}${round}`);
        time += 3;
      }
    };
    isTurnOver();
    time = 3;
    await Promise.all([work('long', nextTurn), work('longer', nextTurn), work('a', stage), work('b', stage)]);
    assert.deepEqual(order, ['a1', 'long1', 'b1', 'longer1', 'a2', 'long2', 'b2', 'longer2']);
  });

  it('go to requests of each connection in turn, and to stages of those that have begun in between', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const order: string[] = [];
    const connections = { flood: {}, other: {} };
    const work = async (name: string, pausing: Promise<void> | undefined): Promise<void> => {
      await pausing;
      order.push(name);
      time += 3;
    };
    assert.equal(entry(connections.flood), undefined);
    time = 3;
    const flood = [1, 2, 3, 4, 5, 6, 7, 8].map((each) => work(`flood${each}`, entry(connections.flood)));
    await Promise.all([
      ...flood,
      work('stage1', stage()),
      work('stage2', stage()),
      work('other', entry(connections.other)),
    ]);
    const entered = order.filter((name) => !name.startsWith('stage'));
    assert.deepEqual(entered, ['flood1', 'other', ...[2, 3, 4, 5, 6, 7, 8].map((each) => `flood${each}`)]);
    assert.ok(order.indexOf('stage2') <= 7, order.join());
    await loop();
  });

  it('leave a slice to each request that resumes at their end', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    isTurnOver();
    time = 3;
    const looks: boolean[] = [];
    const before = stage()?.then(() => (time += 2.4));
    const request = stage()?.then(() => {
      time += 0.5;
      looks.push(isTurnOver());
      time += 0.6;
      looks.push(isTurnOver());
    });
    await Promise.all([before, request]);
    assert.deepEqual(looks, [false, true]);
    await loop();
  });

  it('end for requests that begin in the slice of another one', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const connection = {};
    let begun = 0;
    for (; begun < 100 && entry(connection) === undefined; begun++) time += 0.5;
    assert.ok(begun < 10, `${begun} requests began in one turn`);
    await loop();
    await loop();
  });

  it('are as long for waiting requests as the work of connections between two of them', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const turns: number[] = [];
    let resumed = 0;
    isTurnOver();
    time = 3;
    const requests = Array.from({ length: 60 }, async (_, index) => {
      await entry({ index });
      time += 1;
      resumed++;
    });
    for (let before = 0; before < requests.length; before = resumed) {
      await loop();
      turns.push(resumed - before);
      // A handshake, say.
      time += 8;
    }
    await Promise.all(requests);
    assert.ok(Math.max(...turns) <= 9, turns.join());
    assert.ok(turns.filter((count) => count >= 7).length >= 5, turns.join());
  });

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

  it('are shared by several callers with little work', async (context) => {
    await loop();
    context.mock.method(performance, 'now', () => 0);
    let looped = false;
    const waiting = Array.from({ length: 100 }, () => nextTurn());
    await waiting[0];
    setImmediate(() => {
      looped = true;
    });
    await Promise.all(waiting);
    assert.equal(looped, false);
  });
});
