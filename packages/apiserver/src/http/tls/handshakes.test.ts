import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Handshakes } from './handshakes.js';

it('other work than handshakes gets the loop for a while after a costly one', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const handshakes = new Handshakes(100);
  const order: string[] = [];
  for (const [name, cost] of [
    ['cheap', 1],
    ['costly', 100],
    ['last', 1],
  ] as const) {
    const socket = new Socket();
    handshakes.guard(socket).on('data', () => {
      order.push(name);
      now += cost;
    });
    socket.emit('data', Buffer.of(22, 3, 1));
  }
  assert.deepEqual(order, ['cheap']);
  context.mock.timers.tick(0);
  context.mock.timers.tick(99);
  assert.deepEqual(order, ['cheap', 'costly']);
  context.mock.timers.tick(1);
  assert.deepEqual(order, ['cheap', 'costly', 'last']);
});

it('a request in the same bytes does not count as a cost of its handshake', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const handshakes = new Handshakes(100);
  const order: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const socket = new Socket();
    const guarded = handshakes.guard(socket).on('data', () => {
      order.push(name);
      guarded.secured();
      now += 100;
    });
    socket.emit('data', Buffer.of(22, 3, 1));
  }
  assert.deepEqual(order, ['a']);
  context.mock.timers.tick(0);
  assert.deepEqual(order, ['a', 'b', 'c'], 'no pause follows');
});

it('those that wait go on together in the next turn of the loop, each as the current one', async (context) => {
  context.mock.method(performance, 'now', () => 0);
  const handshakes = new Handshakes(100);
  const order: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const socket = new Socket();
    const guarded = handshakes.guard(socket);
    guarded.on('data', () => order.push(handshakes.current === guarded ? name : 'another'));
    socket.emit('data', Buffer.of(22, 3, 1));
  }
  for (let turn = 0; turn < 3; turn++) {
    order.push('.');
    await nextTurn();
  }
  assert.deepEqual(order, ['a', '.', 'b', 'c', '.', '.']);
  assert.equal(handshakes.current, undefined);
});
