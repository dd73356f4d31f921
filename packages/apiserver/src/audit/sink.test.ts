import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditEvent } from './event.js';
import { eventOf } from './event.testing.js';
import { type AuditSink, unionOfSinks } from './sink.js';

const first = eventOf({ auditId: 'first', stage: 'RequestReceived' });

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

describe('unionOfSinks', () => {
  it('gives every event to all, and fails a request if one of them does', async () => {
    const [one, other] = [collecting(), collecting(false)];
    assert.equal(await unionOfSinks([one, other]).take(first), false);
    assert.deepEqual([one.events, other.events], [[first], [first]]);
    assert.equal(unionOfSinks([one]), one);
  });
});
