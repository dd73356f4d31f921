import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { BatchingSink } from './batching-sink.js';
import type { AuditEvent } from './event.js';
import { eventOf } from './event.testing.js';
import { type AuditSink, sinkTarget } from './sink.js';

const first = eventOf({ auditId: 'first', stage: 'RequestReceived' });

const second = eventOf({ auditId: 'second', stage: 'RequestReceived' });

function collecting(answer = true): AuditSink & { readonly events: AuditEvent[] } {
  const events: AuditEvent[] = [];
  return {
    events,
    take: (event) => {
      events.push(event);
      return Promise.resolve(answer);
    },
    backlog: () => undefined,
    close: () => Promise.resolve(),
  };
}

describe('BatchingSink', () => {
  function batching(more: object = {}) {
    const clock = new VirtualClock();
    const batches: string[][] = [];
    const lost: number[] = [];
    const target = {
      send: (events: readonly AuditEvent[]) => {
        batches.push(events.map(({ fields }) => fields.auditId));
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    };
    const options = { bufferSize: 3, maximumBatchSize: 2, maximumWaitMs: 1000, ...more };
    const sink = new BatchingSink(options, target, clock, (_error, events) => lost.push(events));
    return { batches, lost, sink };
  }

  it('drops events that find the buffer full, and never fails a request', async () => {
    const { lost, sink } = batching({ maximumBatchSize: 10 });
    for (let count = 0; count < 5; count++) assert.equal(await sink.take(first), true);
    assert.deepEqual(lost, [1, 1]);
  });

  it('sends the rest when it closes, in order', async () => {
    const { batches, sink } = batching();
    for (const event of [first, second, first]) await sink.take(event);
    await sink.close();
    assert.deepEqual(batches, [['first', 'second'], ['first']]);
  });

  it('drops events that would take too much memory', async () => {
    const { lost, sink } = batching({ bufferSize: 100, maximumBatchSize: 100 });
    const large = eventOf({ requestObject: JSON.stringify('x'.repeat(30 * 1024 * 1024)) });
    for (let count = 0; count < 5; count++) await sink.take(large);
    assert.deepEqual(lost, [1, 1]);
  });

  it('can send to another sink', async () => {
    const events = collecting();
    await sinkTarget(events).send([first, second]);
    assert.deepEqual(events.events, [first, second]);
  });
});
