import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DynamicClient } from '@binnacle/client/dynamic';
import { settle } from '@binnacle/client/testing';
import { DeletionWatcher } from './deletion-watcher.js';
import { FakeCluster } from './cluster.testing.js';
import type { RemainingResource } from './pass-result.js';

const left = (resource: string, count: number): RemainingResource => ({
  resource: { group: '', version: 'v1', resource },
  count,
  finalizers: new Map(),
  estimate: 15,
  resourceVersion: '7',
});

function setUp() {
  const cluster = new FakeCluster().serve('pods').serve('boats');
  for (const name of ['a', 'b']) cluster.add('pods', name).add('boats', name);
  const watcher = new DeletionWatcher(new DynamicClient(cluster.transport));
  const stop = new AbortController();
  let calls = 0;
  const watch = async (...remaining: RemainingResource[]) => {
    watcher.watch('harbour', remaining, stop.signal, () => calls++);
    await settle();
  };
  return { cluster, watcher, stop, watch, calls: () => calls };
}

describe('deletion watcher', () => {
  it('calls back when all objects are deleted, then stops watching', async () => {
    const { cluster, watch, calls, watcher } = setUp();
    await watch(left('pods', 2), left('boats', 1));
    assert.match(cluster.transport.requests[0]?.path ?? '', /watch=true&resourceVersion=7/);
    cluster.remove('pods', 'a');
    cluster.remove('boats', 'a');
    await settle();
    assert.deepEqual([calls(), cluster.watched], [0, ['pods']]);
    cluster.remove('pods', 'b');
    await settle();
    assert.deepEqual([calls(), cluster.watched], [1, []]);
    await watcher.ended();
  });

  it('does not call back after a watch has ended early', async () => {
    const { cluster, watch, calls } = setUp();
    await watch(left('pods', 2), left('boats', 1));
    cluster.endWatches('pods');
    cluster.remove('boats', 'a');
    await settle();
    assert.deepEqual([calls(), cluster.watched], [0, []]);
  });

  it('replaces and stops the watch of a namespace', async () => {
    const { cluster, watch, calls, watcher } = setUp();
    await watch(left('pods', 2));
    await watch(left('boats', 2));
    assert.deepEqual(cluster.watched, ['boats']);
    watcher.stop('harbour');
    await settle();
    assert.deepEqual([calls(), cluster.watched], [0, []]);
    await watcher.ended();
  });

  it('ends with the signal', async () => {
    const { cluster, watch, calls, watcher, stop } = setUp();
    await watch(left('pods', 2));
    stop.abort();
    await watcher.ended();
    assert.deepEqual([calls(), cluster.watched], [0, []]);
  });

  it('watches nothing if there are too many resources, or none', async () => {
    const { cluster, watch, calls } = setUp();
    await watch(...Array.from({ length: 9 }, () => left('pods', 1)));
    await watch();
    assert.deepEqual([calls(), cluster.log], [0, []]);
  });
});
