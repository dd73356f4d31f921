import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { auditMetrics } from '../metrics/index.js';
import { eventOf } from './event.testing.js';
import { type AuditWebhook, openAuditSink } from './open-audit.js';
import { WebhookTarget } from './webhook-target.js';

const first = eventOf({ auditId: 'first' });
const second = eventOf({ auditId: 'second' });

function recordingService(answer: (signal: AbortSignal | undefined) => Promise<void> = () => Promise.resolve()) {
  const bodies: { items: { auditID: string }[] }[] = [];
  return {
    bodies,
    ids: () => bodies.map(({ items }) => items.map(({ auditID }) => auditID)),
    post: async (body: Uint8Array, { signal }: { readonly signal?: AbortSignal }) => {
      bodies.push(JSON.parse(Buffer.from(body).toString()) as (typeof bodies)[number]);
      await answer(signal);
      return Buffer.alloc(0);
    },
  };
}

/** Fails once the caller gives up. */
function never(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('given up')));
  });
}

describe('WebhookTarget', () => {
  it('posts an EventList', async () => {
    const service = recordingService();
    await new WebhookTarget(service, new VirtualClock()).send([first, second]);
    const { items, ...head } = service.bodies[0] ?? { items: [] };
    assert.deepEqual(head, { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', metadata: {} });
    assert.equal(items.length, 2);
  });

  it('splits a batch of more than 10 MiB', async () => {
    const service = recordingService();
    const large = eventOf({ auditId: 'large', requestObject: JSON.stringify('x'.repeat(6 * 1024 * 1024)) });
    await new WebhookTarget(service, new VirtualClock()).send([large, first, large]);
    assert.deepEqual(service.ids(), [['large', 'first'], ['large']]);
  });
});

describe('openAuditSink, for a webhook', () => {
  function open(more: Partial<AuditWebhook>, service = recordingService()) {
    const clock = new VirtualClock();
    const lost: unknown[] = [];
    const webhook: AuditWebhook = {
      service: { url: 'https://audit.example', credentials: () => ({}) },
      backoffMs: 1,
      mode: 'batch',
      batch: { bufferSize: 10, maximumBatchSize: 2, maximumWaitMs: 1000 },
      maximumEventBytes: undefined,
      ...more,
    };
    const metrics = auditMetrics(new MetricRegistry());
    const report = (error: unknown): void => void lost.push(error);
    const parts = { clock, metrics, openService: () => service, report };
    return { clock, lost, metrics, service, sink: openAuditSink({ policy: { rules: [] }, webhook }, parts) };
  }

  it('sends batches', async () => {
    const { service, sink } = open({});
    for (const event of [first, second, first]) await sink.take(event);
    await sink.close();
    assert.deepEqual(service.ids(), [['first', 'second'], ['first']]);
  });

  for (const [mode, isRefused] of [
    ['blocking', false],
    ['blocking-strict', true],
  ] as const) {
    it(`sends events one by one, and ${isRefused ? 'refuses' : 'does not refuse'} requests whose event is lost: ${mode}`, async () => {
      const failing = recordingService(() => Promise.reject(new Error('down')));
      const { metrics, service, sink } = open({ mode }, failing);
      assert.equal(await sink.take(first), !isRefused);
      assert.deepEqual(service.ids(), [['first']]);
      assert.equal(metrics.errors.with('webhook').value, 1);
    });
  }

  it('drops events that it cannot send within some time after it was ended', async () => {
    const { clock, lost, sink } = open({}, recordingService(never));
    for (const event of [first, second]) await sink.take(event);
    const closing = sink.close(2000);
    await clock.advance(1999);
    assert.equal(lost.length, 0);
    await clock.advance(1);
    await closing;
    assert.equal(lost.length, 1);
  });

  it('shortens large events', async () => {
    const { service, sink } = open({ mode: 'blocking', maximumEventBytes: 900 });
    await sink.take(eventOf({ requestObject: JSON.stringify('x'.repeat(1000)) }));
    assert.equal(JSON.stringify(service.bodies).includes('xxx'), false);
  });
});
