import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ReceiveWindow } from './receive-window.js';

it('a receive window grows again when half of it is read', () => {
  const window = new ReceiveWindow(10);
  assert.equal(window.receive(10), true);
  assert.equal(window.consume(4), 0);
  assert.equal(window.consume(2), 6);
  assert.equal(window.receive(6), true);
  assert.equal(window.receive(1), false);
});
