import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { anonymousUser } from '../../authentication/index.js';
import type { AdmissionAttributes } from '../plugin.js';
import { type EventLimit, eventRateLimit } from './index.js';
import { object, validate } from './request.testing.js';

const limit = (type: EventLimit['type'], more: Partial<EventLimit> = {}): EventLimit => ({
  type,
  qps: 1,
  burst: 2,
  cacheSize: 10,
  ...more,
});

const eventAbout = (name: string) => ({
  ...object('Event'),
  source: { component: 'kubelet' },
  involvedObject: { name },
});

/** How many of ten events, each of its own attributes, are accepted. */
async function accepted(
  limits: readonly EventLimit[],
  attributesOf: (index: number) => Partial<AdmissionAttributes> = () => ({}),
): Promise<number> {
  const plugin = eventRateLimit(limits, new VirtualClock());
  let count = 0;
  for (let index = 0; index < 10; index++) {
    const event = eventAbout(String(index % 5));
    await validate(plugin, 'events', event, attributesOf(index)).then(
      () => count++,
      () => undefined,
    );
  }
  return count;
}

const userOf = (index: number) => ({ user: { ...anonymousUser, name: `user-${index % 5}` } });

// Upstream's table is in `plugin/pkg/admission/eventratelimit/admission_test.go`.
describe('EventRateLimit', () => {
  it('limits the server, each namespace, each user, or each source and object', async () => {
    assert.equal(await accepted([limit('Server')]), 2);
    assert.equal(await accepted([limit('Namespace')], (index) => ({ namespace: `n${index % 2}` })), 4);
    assert.equal(await accepted([limit('User')], userOf), 10);
    assert.equal(await accepted([limit('User', { burst: 1 })], userOf), 5);
    assert.equal(await accepted([limit('SourceAndObject', { burst: 1 })]), 5);
    assert.equal(await accepted([limit('SourceAndObject', { burst: 1, cacheSize: 1 })]), 10);
    assert.equal(await accepted([limit('Server', { burst: 9 }), limit('User', { burst: 1 })]), 1);
  });

  it('answers 429 in upstream words, and accepts events again with time', async () => {
    const clock = new VirtualClock();
    const plugin = eventRateLimit([limit('Server', { qps: 2, burst: 1 }), limit('Namespace')], clock);
    await validate(plugin, 'events', eventAbout('a'));
    await assert.rejects(validate(plugin, 'events', eventAbout('a')), {
      code: 429,
      reason: 'TooManyRequests',
      message: 'Too many requests: limit reached on type Server for key ',
    });
    await assert.rejects(validate(plugin, 'events', eventAbout('a')), {
      message: 'Too many requests: limit reached on type Namespace for key default',
    });
    await clock.advance(1000);
    await validate(plugin, 'events', eventAbout('a'));
  });

  it('distinguishes long keys, without keeping them', async () => {
    const clock = new VirtualClock();
    const plugin = eventRateLimit([limit('SourceAndObject', { burst: 1, cacheSize: 1000 })], clock);
    const long = (index: number): string => `${'x'.repeat(1_000_000)}${index}`;
    await validate(plugin, 'events', eventAbout(long(0)));
    await assert.rejects(validate(plugin, 'events', eventAbout(long(0))), { code: 429 });
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let index = 1; index < 50; index++) await validate(plugin, 'events', eventAbout(long(index)));
    collectGarbage();
    assert.ok(process.memoryUsage().heapUsed - before < 10_000_000, 'fifty keys would be fifty megabytes');
  });

  it('ignores dry runs', async () => {
    const plugin = eventRateLimit([limit('Server', { burst: 1 })], new VirtualClock());
    for (let count = 0; count < 3; count++) await validate(plugin, 'events', eventAbout('a'), { dryRun: true });
    await validate(plugin, 'events', eventAbout('a'));
  });
});
