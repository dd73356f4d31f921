import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Node } from '@binnacle/client/kinds/core/v1';
import { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import * as fc from 'fast-check';
import {
  anyFaults,
  anyHistory,
  faultCases,
  isFaultless,
  playHistory,
  ServiceCluster,
  randomRuns,
} from '../testing/index.js';

const controllers = 'endpointslice-controller';

/** A service of a few pods never has a second slice. */
async function onlyOneSlice(client: DynamicClient): Promise<void> {
  const { items } = await client.resource(EndpointSlice).list({ labelSelector: 'kubernetes.io/service-name=web' });
  assert.ok(items.length <= 1, `there are ${items.length} slices`);
}

describe('the loop of EndpointSlices', () => {
  for (const [what, faults] of faultCases) {
    it(`follows changes that are far apart, and is then idle, ${what}`, async () => {
      await using cluster = await ServiceCluster.start({ controllers, faults });
      const { simulation } = cluster;
      const found = async () => {
        await simulation.advance(60_000);
        return cluster.slicesOf('web');
      };
      await cluster.createService('web');
      assert.deepEqual(await found(), ['']);
      await cluster.createPod('a', 'web', '10.9.0.1');
      assert.deepEqual(await found(), ['10.9.0.1']);
      await cluster.setReady('a', false);
      assert.deepEqual(await found(), ['10.9.0.1-']);
      await cluster.deletePod('a');
      assert.deepEqual(await found(), ['']);
      // A new pod is seen before it is ready, and a deleted one before it is gone.
      const counts = { 'create endpointslices': 1, 'update endpointslices': 4 };
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), counts);
      assert.deepEqual(await cluster.writesOnceSettled(), {});
    });
  }

  it('follows pods with one write for each change, and is then idle', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    const { simulation } = cluster;
    await cluster.createService('web');
    await simulation.advance(1000);
    assert.deepEqual([await cluster.slicesOf('web'), simulation.log.counts()], [[''], { 'create endpointslices': 1 }]);
    await cluster.createPod('a', 'web', '10.9.0.1');
    await simulation.advance(1000);
    await cluster.createPod('b', 'web', '10.9.0.2', false);
    await simulation.advance(1000);
    assert.deepEqual(await cluster.slicesOf('web'), ['10.9.0.1 10.9.0.2-']);
    await cluster.setReady('b', true);
    await simulation.advance(1000);
    await cluster.deletePod('a');
    await simulation.advance(1000);
    assert.deepEqual(await cluster.slicesOf('web'), ['10.9.0.2']);
    // A deletion is two changes: the pod is marked, and then gone.
    assert.deepEqual(simulation.log.counts(), { 'create endpointslices': 1, 'update endpointslices': 5 });
    assert.deepEqual(await cluster.writesOnceSettled(), {});
    assert.deepEqual(simulation.reports, []);
  });

  it('sets the time of the change that led to the endpoints', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    const { simulation } = cluster;
    const times = async () =>
      (await cluster.slices.list()).items.map(
        ({ metadata }) => metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time'],
      );
    const text = () => new Date(simulation.clock.now()).toISOString().replace('.000Z', 'Z');
    await cluster.createService('web');
    const created = text();
    await simulation.advance(60_000);
    assert.deepEqual(await times(), [created]);
    await cluster.createPod('a', 'web', '10.9.0.1');
    const ready = text();
    await simulation.advance(60_000);
    assert.deepEqual(await times(), [ready]);
    await cluster.deletePod('a');
    await simulation.advance(60_000);
    assert.deepEqual(await times(), [undefined]);
  });

  it('makes a slice again that another client deletes, and leaves foreign slices alone', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    await cluster.createService('web');
    await cluster.simulation.settle();
    const [slice] = (await cluster.slices.list()).items;
    assert.ok(slice !== undefined);
    const labels = { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'me' };
    await cluster.slices.create({ ...slice, metadata: { name: 'mine', labels } });
    await cluster.slices.delete(slice.metadata.name ?? '');
    await cluster.simulation.settle();
    const names = (await cluster.slices.list()).items.map(({ metadata }) => metadata.name);
    assert.equal(names.length, 2);
    assert.ok(names.includes('mine') && !names.includes(slice.metadata.name));
  });

  it('writes no slice of a deleted service', async () => {
    const faults = { watchDelay: 500 };
    await using cluster = await ServiceCluster.start({
      controllers: `${controllers},garbage-collector-controller`,
      faults,
    });
    await cluster.createService('web');
    await cluster.simulation.settle();
    cluster.simulation.log.clear();
    await cluster.services.delete('web');
    await cluster.simulation.settle();
    assert.deepEqual(await cluster.slicesOf('web'), []);
    assert.deepEqual(cluster.simulation.log.counts(), { 'delete endpointslices': 1 });
  });

  it('tries again while the node of a pod is missing', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    const { simulation } = cluster;
    await cluster.createService('web');
    const node = await simulation.client.resource(Node).get('node-a');
    await simulation.client.resource(Node).delete('node-a');
    await cluster.createPod('a', 'web', '10.9.0.1');
    await simulation.advance(20_000);
    assert.deepEqual(await cluster.slicesOf('web'), ['']);
    const { resourceVersion: _, uid: __, ...metadata } = node.metadata;
    await simulation.client.resource(Node).create({ ...node, metadata });
    await simulation.advance(60_000);
    assert.deepEqual(await cluster.slicesOf('web'), ['10.9.0.1']);
  });

  it('spreads many pods over slices of a hundred', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    for (let index = 0; index < 130; index++) await cluster.createPod(`p${index}`, 'web', `10.9.1.${index}`);
    await cluster.createService('web');
    await cluster.simulation.settle();
    const counts = (await cluster.slicesOf('web')).map((text) => text.split(' ').length);
    assert.deepEqual(new Set(counts), new Set([100, 30]));
    assert.deepEqual(cluster.simulation.log.counts(), { 'create endpointslices': 2 });
  });

  it('has the right endpoints after any history, with any faults, in one slice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), anyFaults, anyHistory, async (seed, faults, history) => {
        const check = faults.lostAnswers === 0 ? onlyOneSlice : undefined;
        const options = { controllers, seed, faults, ...(check === undefined ? {} : { check }) };
        await using cluster = await ServiceCluster.start(options);
        await cluster.createService('web');
        const expected = await playHistory(cluster, history);
        cluster.simulation.faults = {};
        assert.deepEqual(await cluster.writesOnceSettled(), {});
        const found = (await cluster.slicesOf('web')).filter((text) => text !== '');
        assert.deepEqual(found.join(' ').split(' ').sort().join(' '), expected);
      }),
      randomRuns(2),
    );
  });
});
