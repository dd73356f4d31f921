import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DynamicClient } from '@binnacle/client/dynamic';
import { settle } from '@binnacle/client/testing';
import { Departures } from './departures.js';
import { FakeCluster } from './fake-cluster.js';
import type { Remains } from './remains.js';

const left = (resource: string, count: number): Remains => ({
  resource: { group: '', version: 'v1', resource },
  count,
  finalizers: new Map(),
  estimate: 15,
  resourceVersion: '7',
});

function setUp() {
  const cluster = new FakeCluster().serve('pods').serve('boats');
  for (const name of ['a', 'b']) cluster.add('pods', name).add('boats', name);
  const departures = new Departures(new DynamicClient(cluster.transport));
  const stop = new AbortController();
  let calls = 0;
  const watch = async (...remains: Remains[]) => {
    departures.watch('harbour', remains, stop.signal, () => calls++);
    await settle();
  };
  return { cluster, departures, stop, watch, calls: () => calls };
}

describe('departures', () => {
  it('are told once all has gone, and then watched no more', async () => {
    const { cluster, watch, calls, departures } = setUp();
    await watch(left('pods', 2), left('boats', 1));
    assert.match(cluster.transport.requests[0]?.path ?? '', /watch=true&resourceVersion=7/);
    cluster.remove('pods', 'a');
    cluster.remove('boats', 'a');
    await settle();
    assert.deepEqual([calls(), cluster.watched], [0, ['pods']]);
    cluster.remove('pods', 'b');
    await settle();
    assert.deepEqual([calls(), cluster.watched], [1, []]);
    await departures.ended();
  });

  it('are not told by a watch that ends too early, nor by the others', async () => {
    const { cluster, watch, calls } = setUp();
    await watch(left('pods', 2), left('boats', 1));
    cluster.endWatches('pods');
    cluster.remove('boats', 'a');
    await settle();
    assert.deepEqual([calls(), cluster.watched], [0, []]);
  });

  it('are watched anew, and forgotten', async () => {
    const { cluster, watch, calls, departures } = setUp();
    await watch(left('pods', 2));
    await watch(left('boats', 2));
    assert.deepEqual(cluster.watched, ['boats']);
    departures.forget('harbour');
    await settle();
    assert.deepEqual([calls(), cluster.watched], [0, []]);
    await departures.ended();
  });

  it('end with the signal', async () => {
    const { cluster, watch, calls, departures, stop } = setUp();
    await watch(left('pods', 2));
    stop.abort();
    await departures.ended();
    assert.deepEqual([calls(), cluster.watched], [0, []]);
  });

  it('are not watched where there are too many, or none', async () => {
    const { cluster, watch, calls } = setUp();
    await watch(...Array.from({ length: 9 }, () => left('pods', 1)));
    await watch();
    assert.deepEqual([calls(), cluster.log], [0, []]);
  });
});
