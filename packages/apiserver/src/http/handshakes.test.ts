import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Handshakes } from './handshakes.js';

it('one handshake goes on in each turn of the loop, and is the current one meanwhile', async () => {
  const handshakes = new Handshakes(100);
  const order: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const socket = new Socket();
    const guarded = handshakes.guard(socket);
    guarded.on('data', () => order.push(handshakes.current === guarded ? name : 'another'));
    socket.emit('data', Buffer.from('hello'));
  }
  for (let turn = 0; turn < 3; turn++) {
    order.push('.');
    await nextTurn();
  }
  assert.deepEqual(order, ['a', '.', 'b', '.', 'c', '.']);
  assert.equal(handshakes.current, undefined);
});
