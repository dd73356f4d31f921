import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as loop } from 'node:timers/promises';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { WatchSink } from '../interface/index.js';
import { createEngineKV } from './index.js';
import { MemoryBackend } from './layers/memory-backend.js';

const EVENTS = 50;

/** A store with some events. */
async function storeOf() {
  const clock = new VirtualClock();
  const kv = createEngineKV({ backend: new MemoryBackend(), clock, now: () => clock.now() });
  for (let index = 0; index < EVENTS; index++) {
    await kv.txn({ key: `/${index}`, expectedRevision: 0, operation: { type: 'put', value: Buffer.alloc(1) } });
  }
  return kv;
}

const noSignal = new AbortController().signal;

describe('replays of the log', () => {
  it('share the turns of the event loop', async (context) => {
    await using kv = await storeOf();
    await loop();
    let time = 0;
    context.mock.method(performance, 'now', () => time);
    let events = 0;
    const isComplete = (): boolean => events === 10 * EVENTS;
    const sink: WatchSink = {
      batch: () => {
        events += 1;
        // Each event uses up a turn.
        time += 3;
      },
      progress: () => undefined,
      ended: (error) => assert.fail(error),
    };
    for (let watch = 0; watch < 10; watch++) kv.watch({ prefix: '/', fromRevision: 1 }, sink, noSignal);
    await loop();
    const inTurns: number[] = [];
    while (!isComplete()) {
      const before = events;
      await loop();
      inTurns.push(events - before);
    }
    // All have begun before that.
    const most = Math.max(...inTurns);
    assert.ok(most > 0 && most <= 16, `${most} events in a turn`);
  });

  it('wait for their receiver before each event', async () => {
    await using kv = await storeOf();
    let events = 0;
    let go: () => void = () => undefined;
    const sink: WatchSink = {
      batch: () => void (events += 1),
      progress: () => undefined,
      ended: (error) => assert.fail(error),
      whenReady: () => (events % 5 === 4 ? new Promise((resolve) => (go = resolve)) : undefined),
    };
    kv.watch({ prefix: '/', fromRevision: 1 }, sink, noSignal);
    for (let turn = 0; turn < 10; turn++) await loop();
    assert.equal(events, 4);
    events += 1;
    go();
    for (let turn = 0; turn < 10; turn++) await loop();
    assert.equal(events, 9);
  });
});
