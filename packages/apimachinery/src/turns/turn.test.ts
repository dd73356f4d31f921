import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import type { Caller } from './rotation.js';
import { enter, isTurnOver, nextTurn, ownTurn, stage, withoutTurns } from './turn.js';

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
    const connections = { flood: { client: 'flood' }, other: { client: 'other' } };
    const work = async (name: string, pausing: Promise<void> | undefined): Promise<void> => {
      await pausing;
      order.push(name);
      time += 3;
    };
    const entry = (connection: Caller) => new Promise<void>((resolve) => enter(connection, resolve));
    isTurnOver();
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

  for (const [what, resume, spentBefore] of [
    ['each request that resumes at their end', stage, 2.4],
    ['a step of long work, after a request that uses them up', nextTurn, 5],
  ] as const)
    it(`leave a slice to ${what}`, async (context) => {
      await loop();
      let time = 0;
      context.mock.method(performance, 'now', () => time);
      isTurnOver();
      time = 3;
      const looks: boolean[] = [];
      const before = stage()?.then(() => (time += spentBefore));
      const resumed = resume()?.then(() => {
        time += 0.5;
        looks.push(isTurnOver());
        time += 0.6;
        looks.push(isTurnOver());
      });
      await Promise.all([before, resumed]);
      assert.deepEqual(looks, [false, true]);
      await loop();
    });

  it('end for requests that begin in the slice of another one', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const begun: number[] = [];
    for (let client = 0; client < 100; client++)
      enter({ client }, () => {
        begun.push(client);
        time += 0.5;
      });
    assert.equal(begun.length, 5);
    while (begun.length < 100) await loop();
  });

  it('count what begins in a slice of its connection as part of the slice', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const order: string[] = [];
    const [one, other] = [{ client: 1 }, { client: 2 }];
    isTurnOver();
    time = 3;
    // The bytes of a connection hold four requests.
    enter(one, () => {
      for (const each of [1, 2, 3, 4]) {
        enter(one, () => order.push(`one${each}`));
        time += 0.4;
      }
    });
    enter(other, () => order.push('other'));
    assert.deepEqual(order, []);
    while (order.length < 5) await loop();
    assert.deepEqual(order, ['one1', 'one2', 'one3', 'other', 'one4']);
  });

  it('go to the stages of clients in turn, too', async (context) => {
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    const order: string[] = [];
    const request = async (name: string): Promise<void> => {
      for (const each of [1, 2]) {
        order.push(`${name}${each}`);
        time += 3;
        await stage();
      }
    };
    isTurnOver();
    time = 3;
    for (const connection of ['a', 'b', 'c', 'd']) enter({ client: 'flood' }, () => void request(connection));
    while (order.length < 4) await loop();
    enter({ client: 'other' }, () => void request('other'));
    while (order.length < 10) await loop();
    assert.deepEqual(order.slice(0, 4), ['a1', 'b1', 'c1', 'd1']);
    assert.ok(order.indexOf('other2') <= 7, order.join());
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
    const requests = 60;
    for (let client = 0; client < requests; client++)
      enter({ client }, () => {
        time += 1;
        resumed++;
      });
    for (let before = 0; before < requests; before = resumed) {
      await loop();
      turns.push(resumed - before);
      // A handshake, say.
      time += 8;
    }
    assert.ok(Math.max(...turns) <= 9, turns.join());
    assert.ok(turns.filter((count) => count >= 7).length >= 5, turns.join());
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
