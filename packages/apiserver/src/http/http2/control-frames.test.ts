import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkWindow, numberOfStream, onConnection, pingNumbers, windowIncrement } from './control-frames.js';
import { ConnectionError } from './error-codes.js';
import type { Frame } from './frames.js';

const frame = (streamId: number, hex: string): Frame => ({
  type: 0,
  flags: 0,
  streamId,
  payload: Buffer.from(hex, 'hex'),
});
const failsWith = (code: number) => (error: unknown) => error instanceof ConnectionError && error.code === code;

it('control frames have the size and the stream that they need', () => {
  assert.equal(numberOfStream(frame(1, '00000008'), 4), 8);
  assert.throws(() => numberOfStream(frame(0, '00000008'), 4), failsWith(1));
  assert.throws(() => numberOfStream(frame(1, '000000'), 4), failsWith(6));
  assert.deepEqual(pingNumbers(frame(0, '00000001ffffffff')), [1, 2 ** 32 - 1]);
  assert.throws(() => pingNumbers(frame(1, '00000001ffffffff')), failsWith(1));
  assert.throws(() => pingNumbers(frame(0, '00000001')), failsWith(6));
  assert.throws(() => onConnection(frame(1, '')), failsWith(1));
});

it('windows grow by one at least, and up to the largest', () => {
  assert.equal(windowIncrement(frame(1, '80000001')), 1);
  assert.equal(windowIncrement(frame(1, '00000000')), 0);
  assert.throws(() => windowIncrement(frame(0, '00000000')), failsWith(1));
  assert.throws(() => windowIncrement(frame(0, '0000')), failsWith(6));
  assert.doesNotThrow(() => checkWindow(2 ** 31 - 1));
  assert.throws(() => checkWindow(2 ** 31), failsWith(3));
});
