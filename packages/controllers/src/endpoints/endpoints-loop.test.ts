import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

const controllers = 'endpoints-controller';

describe('the loop of Endpoints', () => {
  for (const [what, faults] of faultCases) {
    it(`follows changes that are far apart with one write each, and is then idle, ${what}`, async () => {
      await using cluster = await ServiceCluster.start({ controllers, faults });
      const { simulation } = cluster;
      const found = async () => {
        await simulation.advance(60_000);
        return cluster.endpointsOf('web');
      };
      await cluster.createService('web');
      assert.equal(await found(), '');
      await cluster.createPod('a', 'web', '10.9.0.1');
      assert.equal(await found(), '10.9.0.1');
      await cluster.setReady('a', false);
      assert.equal(await found(), '10.9.0.1-');
      await cluster.deletePod('a');
      assert.equal(await found(), '');
      const counts = { 'create endpoints': 1, 'update endpoints': 3 };
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), counts);
      assert.deepEqual(await cluster.writesOnceSettled(), {});
    });
  }

  it('follows pods with one write for each change, and is then idle', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    const { simulation } = cluster;
    await cluster.createService('web');
    await simulation.advance(1000);
    assert.deepEqual([await cluster.endpointsOf('web'), simulation.log.counts()], ['', { 'create endpoints': 1 }]);
    await cluster.createPod('a', 'web', '10.9.0.1');
    await simulation.advance(1000);
    await cluster.createPod('b', 'web', '10.9.0.2', false);
    await simulation.advance(1000);
    assert.equal(await cluster.endpointsOf('web'), '10.9.0.1 10.9.0.2-');
    await cluster.deletePod('a');
    await simulation.advance(1000);
    assert.deepEqual(simulation.log.counts(), { 'create endpoints': 1, 'update endpoints': 3 });
    assert.deepEqual(await cluster.writesOnceSettled(), {});
    assert.deepEqual(simulation.reports, []);
  });

  it('deletes nothing with a service, as the server deletes its Endpoints', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    await cluster.createService('web');
    await cluster.simulation.settle();
    cluster.simulation.log.clear();
    await cluster.services.delete('web');
    await cluster.simulation.settle();
    assert.equal(await cluster.endpointsOf('web'), undefined);
    assert.deepEqual(cluster.simulation.log.counts(), {});
  });

  it('leaves Endpoints of clients alone, until it starts without their service', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    const subsets = [{ addresses: [{ ip: '10.9.0.9' }], ports: [{ port: 1 }] }];
    const leader = { 'control-plane.alpha.kubernetes.io/leader': '{}' };
    await cluster.endpoints.create({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'early' }, subsets });
    const lock = { name: 'lock', annotations: leader };
    await cluster.endpoints.create({ apiVersion: 'v1', kind: 'Endpoints', metadata: lock });
    await cluster.simulation.settle();
    await cluster.createService('mine', {});
    await cluster.endpoints.create({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'mine' }, subsets });
    await cluster.simulation.settle();
    assert.deepEqual(cluster.simulation.log.counts(), {});
    cluster.simulation.restart();
    await cluster.simulation.settle();
    const names = (await cluster.endpoints.list()).items.map(({ metadata: { name = '' } }) => name);
    assert.deepEqual(names.filter((name) => name !== 'kubernetes').sort(), ['lock', 'mine']);
  });

  it('has the right endpoints after any history, with any faults', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), anyFaults, anyHistory, async (seed, faults, history) => {
        await using cluster = await ServiceCluster.start({ controllers, seed, faults });
        await cluster.createService('web');
        const expected = await playHistory(cluster, history);
        cluster.simulation.faults = {};
        assert.deepEqual(await cluster.writesOnceSettled(), {});
        assert.equal(await cluster.endpointsOf('web'), expected);
      }),
      randomRuns(2),
    );
  });
});
