import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { eventOf } from './event.testing.js';
import { type LineTarget, LogSink, type LogSinkOptions } from './log-sink.js';

const first = eventOf({ auditId: 'first', stage: 'RequestReceived' });

const second = eventOf({ auditId: 'second', stage: 'RequestReceived' });

/** A target whose writes end when the test says so. */
function heldTarget() {
  const written: string[] = [];
  const held: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let closed = false;
  return {
    written,
    held,
    isClosed: () => closed,
    write: (bytes: Uint8Array) => {
      written.push(Buffer.from(bytes).toString());
      return new Promise<void>((resolve, reject) => held.push({ resolve, reject }));
    },
    close: () => {
      closed = true;
      return Promise.resolve();
    },
  };
}

function logSinkOf(target: LineTarget, more: Partial<LogSinkOptions> = {}): LogSink {
  const clock = new VirtualClock();
  return new LogSink({
    target,
    clock,
    isBatched: false,
    format: 'json',
    isStrict: false,
    lost: assert.ifError,
    ...more,
  });
}

/** A write begins in the next turn of the event loop. */
const settled = async () => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('LogSink', () => {
  it('writes what arrives during a write with the next one, in order, and all of it before it closes', async () => {
    const target = heldTarget();
    const sink = logSinkOf(target);
    const taken = sink.take(first);
    await settled();
    const later = [sink.take(second), sink.take(first)];
    const closing = sink.close();
    assert.deepEqual(target.written, [`${first.json}\n`]);
    target.held[0]?.resolve();
    assert.equal(await taken, true);
    await settled();
    assert.equal(target.isClosed(), false);
    target.held[1]?.resolve();
    assert.deepEqual(await Promise.all(later), [true, true]);
    await closing;
    assert.deepEqual(target.written, [`${first.json}\n`, `${second.json}\n${first.json}\n`]);
    assert.equal(target.isClosed(), true);
  });

  for (const isStrict of [true, false]) {
    it(`${isStrict ? 'fails requests' : 'goes on'} when it cannot write${isStrict ? ', if it is strict' : ''}`, async () => {
      const target = heldTarget();
      const lost: unknown[] = [];
      const sink = logSinkOf(target, { isStrict, lost: (error) => lost.push(error) });
      const taken = [sink.take(first), sink.take(second)];
      await settled();
      target.held[0]?.reject(new Error('full'));
      assert.deepEqual(await Promise.all(taken), [!isStrict, !isStrict]);
      assert.equal(lost.length, 2);
    });
  }

  it('holds new requests up while megabytes wait', async () => {
    const target = heldTarget();
    const sink = logSinkOf(target);
    void sink.take(first);
    await settled();
    void sink.take(eventOf({ requestObject: JSON.stringify('x'.repeat(9_000_000)) }));
    const backlog = sink.backlog();
    assert.notEqual(backlog, undefined);
    target.held[0]?.resolve();
    await settled();
    target.held[1]?.resolve();
    await backlog;
    assert.equal(sink.backlog(), undefined);
  });
});

describe('LogSink, of events that no request waits for', () => {
  const GATHERING_MS = 25;
  const last = eventOf({ stage: 'ResponseComplete' });

  it('gathers them for milliseconds', async () => {
    const clock = new VirtualClock();
    const target = heldTarget();
    const sink = logSinkOf(target, { clock });
    void sink.take(last);
    await clock.advance(GATHERING_MS - 1);
    void sink.take(last);
    await settled();
    assert.deepEqual(target.written, []);
    await clock.advance(1);
    await settled();
    assert.deepEqual(target.written, [`${last.json}\n${last.json}\n`]);
  });

  it('gathers also those that arrive during a write', async () => {
    const clock = new VirtualClock();
    const target = heldTarget();
    const sink = logSinkOf(target, { clock });
    void sink.take(first);
    await settled();
    void sink.take(last);
    target.held[0]?.resolve();
    await settled();
    assert.deepEqual(target.written, [`${first.json}\n`]);
    void sink.take(last);
    await clock.advance(GATHERING_MS);
    await settled();
    assert.deepEqual(target.written.slice(1), [`${last.json}\n${last.json}\n`]);
  });

  it('writes a thousand of one turn with one write', async () => {
    const clock = new VirtualClock();
    const target = heldTarget();
    const sink = logSinkOf(target, { clock });
    for (let count = 0; count < 1000; count++) void sink.take(last);
    await settled();
    await clock.advance(GATHERING_MS);
    assert.equal(target.written.length, 1);
    assert.equal(target.written[0], `${last.json}\n`.repeat(1000));
  });

  it('does not change the lines of a write before it has ended', async () => {
    const clock = new VirtualClock();
    const views: Uint8Array[] = [];
    const ends: (() => void)[] = [];
    const write = (bytes: Uint8Array) => {
      views.push(bytes);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const sink = logSinkOf({ write, close: () => Promise.resolve() }, { clock });
    for (let round = 0; round < 3; round++) {
      void sink.take(eventOf({ auditId: `first-${round}` }));
      await clock.advance(GATHERING_MS);
      await settled();
      void sink.take(eventOf({ auditId: `later-${round}` }));
      await clock.advance(GATHERING_MS);
      const [first, later] = [
        `${eventOf({ auditId: `first-${round}` }).json}\n`,
        `${eventOf({ auditId: `later-${round}` }).json}\n`,
      ];
      assert.equal(Buffer.from(views.at(-1) ?? []).toString(), first);
      ends.at(-1)?.();
      await settled();
      assert.equal(Buffer.from(views.at(-1) ?? []).toString(), later);
      ends.at(-1)?.();
      await settled();
    }
    assert.equal(views.length, 6);
  });

  it('writes them at once when they are many, before one that is waited for, and when it closes', async () => {
    for (const finish of [
      (sink: LogSink) => sink.take(eventOf({ requestObject: JSON.stringify('x'.repeat(600_000)) })),
      (sink: LogSink) => sink.take(first),
      (sink: LogSink) => sink.close(),
    ]) {
      const target = heldTarget();
      const sink = logSinkOf(target);
      void sink.take(last);
      void finish(sink);
      await settled();
      assert.equal(target.written[0]?.startsWith(`${last.json}\n`), true);
    }
  });
});
