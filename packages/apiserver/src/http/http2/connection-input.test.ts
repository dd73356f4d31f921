import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PassThrough } from 'node:stream';
import { isTurnOver, nextTurn } from '../../slices/index.js';
import { ConnectionInput } from './connection-input.js';
import { frameOf, PING } from './frames.js';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const FRAMES = 40;

it('reads some frames in a turn that other work has used up, and the others later', async () => {
  const socket = new PassThrough();
  let accepted = 0;
  const input = new ConnectionInput(socket, {
    read: () => undefined,
    accept: () => {
      accepted++;
      // Every turn is over at once.
      while (!isTurnOver());
    },
    fail: (code) => assert.fail(`error ${code}`),
  });
  const ping = frameOf(PING, 0, 0, 1, 2);
  socket.emit('data', Buffer.concat([Buffer.from(PREFACE), ...Array.from({ length: FRAMES }, () => ping)]));
  assert.equal(accepted, 16);
  assert.ok(socket.isPaused());
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  assert.equal(accepted, FRAMES);
  input.stop();
});
