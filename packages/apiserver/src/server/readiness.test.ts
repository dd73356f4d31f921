import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KVError, type RangeResult, type WatchSink } from '@binnacle/kv';
import { openMemoryKV } from '@binnacle/kv/memory';
import { withMethods } from '../testing/index.js';
import { testResourceApi } from './server.testing.js';

test('a cache counts as unready from its first use until it is built, and again when it loses the store', async () => {
  await using kv = openMemoryKV();
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let feed: WatchSink | undefined;
  const held = withMethods(kv, {
    range: (request): Promise<RangeResult> => asked.then(() => kv.range(request)),
    watch: (request, sink, signal) => {
      feed = sink;
      kv.watch(request, sink, signal);
    },
  });
  const api = testResourceApi(held);
  const cacher = api.catalog.find('apps', 'deployments')?.store.reader.cacher;
  assert.ok(cacher);
  assert.deepEqual(api.catalog.unreadyCaches(), [], 'no client has used a cache yet');
  const built = cacher.ready();
  assert.deepEqual(api.catalog.unreadyCaches(), ['deployments.apps']);
  answer();
  await built;
  assert.deepEqual(api.catalog.unreadyCaches(), []);
  feed?.ended(new KVError('unavailable', 'the store has gone'));
  assert.deepEqual(api.catalog.unreadyCaches(), ['deployments.apps']);
  await cacher.ready();
  assert.deepEqual(api.catalog.unreadyCaches(), [], 'it recovers on its own');
  api.catalog.stop();
});
