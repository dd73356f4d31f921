import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { text } from 'node:stream/consumers';
import { StatusError } from '@binnacle/apimachinery/status';
import { RequestBody } from './request-body.js';

describe('a request body', () => {
  it('passes on what arrived before and after its reader, and counts it then', async () => {
    const consumed: number[] = [];
    const body = new RequestBody((bytes) => consumed.push(bytes));
    body.receive(Buffer.from('a'));
    body.receive(Buffer.from('b'));
    body.receive(Buffer.alloc(0));
    assert.deepEqual(consumed, []);
    const read = text(body);
    await new Promise(setImmediate);
    assert.deepEqual(consumed, [2]);
    body.receive(Buffer.from('cde'));
    assert.equal(body.isComplete, false);
    body.complete();
    assert.equal(body.isComplete, true);
    assert.equal(await read, 'abcde');
    assert.deepEqual(consumed, [2, 3]);
  });

  it('does not consume what its reader does not take', async () => {
    let consumed = 0;
    const body = new RequestBody((bytes) => {
      consumed += bytes;
    });
    body.on('data', () => body.pause());
    body.receive(Buffer.from('a'));
    await new Promise(setImmediate);
    for (let count = 0; count < 10; count++) {
      body.receive(Buffer.from('bcd'));
      await new Promise(setImmediate);
    }
    assert.ok(consumed < 10, `${consumed}`);
    body.breakOff();
    await new Promise((resolve) => body.once('close', resolve));
    assert.equal(consumed, 31);
  });

  it('fails for its reader when it ends early', async () => {
    const body = new RequestBody(() => undefined);
    body.receive(Buffer.from('a'));
    const read = text(body);
    body.breakOff();
    await assert.rejects(read, (error) => error instanceof StatusError && error.code === 400);
    body.receive(Buffer.from('b'));
    body.complete();
    assert.equal(body.isComplete, false);
  });
});
