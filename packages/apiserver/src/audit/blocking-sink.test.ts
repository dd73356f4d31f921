import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventOf } from './event.testing.js';
import { BlockingSink } from './blocking-sink.js';

const first = eventOf({ auditId: 'first', stage: 'RequestReceived' });

/** A write begins in the next turn of the event loop. */
const settled = async () => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('BlockingSink', () => {
  it('holds new requests up while megabytes are on their way', async () => {
    const held: (() => void)[] = [];
    const send = () => new Promise<void>((resolve) => held.push(resolve));
    const sink = new BlockingSink({ send, close: () => Promise.resolve() }, false, assert.ifError);
    const large = eventOf({ requestObject: JSON.stringify('x'.repeat(9_000_000)) });
    const taken = [sink.take(first), sink.take(large)];
    let goesOn = false;
    const backlog = sink.backlog()?.then(() => (goesOn = true));
    assert.notEqual(backlog, undefined);
    held[0]?.();
    await settled();
    assert.equal(goesOn, false);
    held[1]?.();
    await backlog;
    assert.deepEqual(await Promise.all(taken), [true, true]);
    assert.equal(sink.backlog(), undefined);
  });
});
