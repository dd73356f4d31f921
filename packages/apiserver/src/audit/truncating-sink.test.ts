import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditEvent } from './event.js';
import { eventOf } from './event.testing.js';
import { type AuditSink } from './sink.js';
import { truncatingSink } from './truncating-sink.js';

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

describe('truncatingSink', () => {
  it('leaves out bodies that are too large, then events', async () => {
    const sink = collecting();
    const lost: unknown[] = [];
    const truncating = truncatingSink(sink, 1000, (error) => lost.push(error));
    await truncating.take(first);
    await truncating.take(eventOf({ auditId: 'large', requestObject: JSON.stringify('x'.repeat(2000)) }));
    await truncating.take(eventOf({ auditId: 'hopeless', userAgent: 'x'.repeat(2000) }));
    assert.deepEqual(
      sink.events.map(({ fields }) => [fields.auditId, fields.annotations.get('audit.k8s.io/truncated')?.value]),
      [
        ['first', undefined],
        ['large', 'true'],
      ],
    );
    assert.equal(lost.length, 1);
  });
});
