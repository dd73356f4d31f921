import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Endpoints } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { anyFaults, faultCases, isFaultless, ServiceCluster, randomRuns } from '../testing/index.js';

const controllers = 'endpointslice-mirroring-controller';

const endpoints = (...ips: readonly string[]): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'web' },
  ...(ips.length === 0 ? {} : { subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 8080 }] }] }),
});

describe('the loop that mirrors Endpoints', () => {
  for (const [what, faults] of faultCases) {
    it(`follows Endpoints with one write for each change, and is then idle, ${what}`, async () => {
      await using cluster = await ServiceCluster.start({ controllers, faults });
      const { simulation } = cluster;
      const found = async () => {
        await simulation.advance(60_000);
        return cluster.slicesOf('web');
      };
      await cluster.endpoints.create(endpoints('10.9.0.1'));
      assert.deepEqual(await found(), []);
      await cluster.createService('web', {});
      assert.deepEqual(await found(), ['10.9.0.1']);
      await cluster.endpoints.update(endpoints('10.9.0.1', '10.9.0.2'));
      assert.deepEqual(await found(), ['10.9.0.1 10.9.0.2']);
      await cluster.endpoints.delete('web');
      assert.deepEqual(await found(), []);
      const writes = { 'create endpointslices': 1, 'update endpointslices': 1, 'delete endpointslices': 1 };
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), writes);
      assert.deepEqual(await cluster.writesOnceSettled(), {});
      if (isFaultless(faults)) assert.deepEqual(simulation.reports, []);
    });
  }

  it('deletes its slices when the service gets a selector, and makes them again', async () => {
    await using cluster = await ServiceCluster.start({ controllers });
    await cluster.createService('web', {});
    await cluster.endpoints.create(endpoints('10.9.0.1'));
    await cluster.simulation.settle();
    const select = (selector: { readonly app: string } | null) =>
      cluster.services.patch('web', { type: 'merge', body: { spec: { selector } } });
    await select({ app: 'web' });
    await cluster.simulation.settle();
    assert.deepEqual(await cluster.slicesOf('web'), []);
    await select(null);
    await cluster.simulation.settle();
    assert.deepEqual(await cluster.slicesOf('web'), ['10.9.0.1']);
  });

  it('has the right slices after any history, with any faults', async () => {
    const step = fc.record({
      act: fc.constantFrom('write', 'write', 'delete', 'service', 'no service'),
      ips: fc.subarray(['10.9.0.1', '10.9.0.2', 'fd00::1']),
      after: fc.constantFrom(0, 10, 700, 8000),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        anyFaults,
        fc.array(step, { minLength: 3, maxLength: 12 }),
        async (seed, faults, history) => {
          await using cluster = await ServiceCluster.start({ controllers, seed, faults });
          await cluster.createService('web', {});
          let hasService = true;
          let ips: readonly string[] | undefined;
          for (const { act, ips: wanted, after } of history) {
            await cluster.simulation.advance(after);
            if (act === 'write') {
              await (ips === undefined
                ? cluster.endpoints.create(endpoints(...wanted))
                : cluster.endpoints.update(endpoints(...wanted)));
              ips = wanted;
            } else if (act === 'delete' && ips !== undefined) {
              await cluster.endpoints.delete('web');
              ips = undefined;
            } else if (act === 'service' && !hasService) {
              await cluster.createService('web', {});
              hasService = true;
            } else if (act === 'no service' && hasService) {
              // The server deletes the Endpoints as well.
              await cluster.services.delete('web');
              [hasService, ips] = [false, undefined];
            }
          }
          cluster.simulation.faults = {};
          assert.deepEqual(await cluster.writesOnceSettled(), {});
          const found = (await cluster.slicesOf('web')).flatMap((text) => text.split(' '));
          assert.deepEqual(found.sort(), hasService ? [...(ips ?? [])].sort() : []);
        },
      ),
      randomRuns(2),
    );
  });
});
