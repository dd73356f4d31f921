import assert from 'node:assert/strict';
import { it } from 'node:test';
import { frameWatchEvent } from './index.js';

it('an event of a watch is its type and the object as it is, after the length of both', () => {
  const frame = frameWatchEvent('ADDED', Buffer.from('abc'));
  assert.equal(Buffer.from(frame).toString('hex'), '0000000e0a05414444454412050a03616263');
});

it('objects of any size have the length that they have', () => {
  const frame = Buffer.from(frameWatchEvent('MODIFIED', Buffer.alloc(100_000, 1)));
  assert.equal(frame.readUInt32BE(0), frame.length - 4);
});
