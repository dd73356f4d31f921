import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf } from '@binnacle/apimachinery/clock';
import { badRequest } from '@binnacle/apimachinery/status';
import type { KV, WatchSink } from '@binnacle/kv';
import { configMap, type TestResource, testResource, withMethods } from '../testing/index.js';
import { Feed } from './feed.js';

/** A store that can be cut off, and whose feeds can be broken. */
class FrailStore {
  away: Error | undefined;
  readonly sinks: WatchSink[] = [];

  wrap = (kv: KV): KV =>
    withMethods(kv, {
      range: (...parameters) => (this.away === undefined ? kv.range(...parameters) : Promise.reject(this.away)),
      watch: (request, sink, signal) => {
        this.sinks.push(sink);
        kv.watch(request, sink, signal);
      },
    });
}

const put = (resource: TestResource, name: string) =>
  resource.storage.create(`/registry/configmaps/default/${name}`, configMap(name), undefined);

/** A feed, and one line for everything that its listener receives. */
function feedOf({ storage, clock }: TestResource) {
  const calls: string[] = [];
  const stop = new AbortController();
  const listener = {
    begun: ({ objects, revision }: { objects: { size: number }; revision: number }) =>
      calls.push(`begun ${objects.size} @${revision}`),
    batch: ({ events, revision }: { events: readonly unknown[]; revision: number }) =>
      calls.push(`batch ${events.length} @${revision}`),
    progress: () => undefined,
    ended: ({ message }: Error) => calls.push(`ended ${message}`),
  };
  return {
    feed: new Feed({ storage, listener, gate: undefined, signal: stop.signal, clock, random: randomOf(() => 0.5) }),
    calls,
    stop,
  };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('Feed', () => {
  it('reads the state on first use, then delivers changes', async () => {
    await using resource = testResource();
    const first = (await put(resource, 'a'))?.revision ?? 0;
    const { feed, calls, stop } = feedOf(resource);
    assert.deepEqual([feed.started, feed.live], [false, false]);
    await Promise.all([feed.ready(), feed.ready(), feed.firstAttempt()]);
    assert.deepEqual([feed.started, feed.live], [true, true]);
    await put(resource, 'b');
    await settled();
    assert.deepEqual(calls, [`begun 1 @${first}`, `batch 1 @${first + 1}`]);
    stop.abort();
  });

  it('begins again after it has broken', async () => {
    const store = new FrailStore();
    await using resource = testResource({ wrapKV: store.wrap });
    const { feed, calls, stop } = feedOf(resource);
    await feed.ready();
    store.sinks[0]?.ended(new Error('lost'));
    assert.equal(feed.live, false);
    const ready = feed.ready();
    await resource.clock.advance(400);
    await ready;
    assert.equal(feed.live, true);
    assert.equal(calls.length, 3);
    assert.match(calls[1] ?? '', /^ended .*lost/);
    stop.abort();
  });

  it('doubles its pause with each failure, up to 8 seconds', async (context) => {
    const store = new FrailStore();
    await using resource = testResource({ wrapKV: store.wrap });
    store.away = new Error('away');
    const { feed, stop } = feedOf(resource);
    await feed.firstAttempt();
    let attempts = 0;
    const currentRevision = resource.storage.currentRevision.bind(resource.storage);
    context.mock.method(resource.storage, 'currentRevision', () => {
      attempts++;
      return currentRevision();
    });
    for (const pause of [250, 500, 1000, 2000, 4000, 8000, 8000]) {
      const before = attempts;
      await settled();
      await resource.clock.advance(pause - 1);
      assert.equal(attempts, before, `a pause of ${pause} ms`);
      await resource.clock.advance(1);
      assert.equal(attempts, before + 1, `a pause of ${pause} ms`);
    }
    stop.abort();
  });

  it('keeps the reason when objects cannot be converted, until it is live', async (context) => {
    await using resource = testResource();
    const { feed, stop } = feedOf(resource);
    const refusal = badRequest('no conversion');
    const page = context.mock.method(resource.storage, 'page', () => Promise.reject(refusal));
    await feed.firstAttempt();
    assert.equal(feed.refusal, refusal);
    page.mock.restore();
    const ready = feed.ready();
    await resource.clock.advance(400);
    await ready;
    assert.equal(feed.refusal, undefined);
    stop.abort();
  });

  it('delivers no state that it has read when it is stopped', async (context) => {
    await using resource = testResource();
    const { feed, calls, stop } = feedOf(resource);
    const page = resource.storage.page.bind(resource.storage);
    context.mock.method(resource.storage, 'page', (...parameters: Parameters<typeof page>) => {
      const read = page(...parameters);
      // Runs after the last check of the read, and before the feed receives the state.
      void read.then(() => queueMicrotask(() => stop.abort()));
      return read;
    });
    await feed.ready();
    assert.equal(feed.live, false);
    assert.deepEqual(calls, []);
  });

  it('delivers nothing once it is stopped', async () => {
    await using resource = testResource();
    const { feed, calls, stop } = feedOf(resource);
    const ready = feed.ready();
    stop.abort();
    await ready;
    assert.equal(feed.live, false);
    assert.deepEqual(calls, []);
  });
});
