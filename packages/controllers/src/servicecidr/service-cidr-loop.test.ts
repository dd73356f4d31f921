import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNotFound } from '@binnacle/client/rest';
import { Service } from '@binnacle/client/kinds/core/v1';
import { ServiceCIDR } from '@binnacle/client/kinds/networking/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';
import { FINALIZER } from './plan.js';

const controllers = 'service-cidr-controller';

const range = (name: string, cidr: string): ServiceCIDR => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: { name },
  spec: { cidrs: [cidr] },
});

const conditionOf = async ({ client }: Simulation, name: string) => {
  const { status } = await client.resource(ServiceCIDR).get(name);
  return status?.conditions?.map((condition) => `${condition.type}=${condition.status} ${condition.reason}`).join();
};

describe('the loop of ServiceCIDRs', () => {
  it('protects a range, and lets it go ten seconds after its deletion', async () => {
    await using simulation = await Simulation.start({ controllers });
    await simulation.settle();
    simulation.log.clear();
    const ranges = simulation.client.resource(ServiceCIDR);
    await ranges.create(range('a', '10.77.0.0/28'));
    await simulation.settle();
    assert.equal(await conditionOf(simulation, 'a'), 'Ready=True ');
    assert.deepEqual((await ranges.get('a')).metadata.finalizers, [FINALIZER]);
    assert.deepEqual(simulation.log.counts(), { 'patch servicecidrs': 1, 'patch servicecidrs/status': 1 });
    await ranges.delete('a');
    await simulation.advance(9000);
    await ranges.get('a');
    await simulation.advance(2000);
    await assert.rejects(ranges.get('a'), isNotFound);
    assert.deepEqual(simulation.log.counts(), { 'patch servicecidrs': 2, 'patch servicecidrs/status': 1 });
    simulation.log.clear();
    await simulation.advance(3_600_000);
    assert.deepEqual([simulation.log.counts(), simulation.reports], [{}, []]);
  });

  for (const [what, faults] of [
    ['without faults', {}],
    ['with stale caches', { watchDelay: 5000 }],
    ['with a restart after each write', { restartAfterWrites: true }],
    ['with failures', { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.3, brokenWatches: 0.2 }],
  ] as const satisfies readonly (readonly [string, SimulationFaults])[]) {
    it(`keeps a range in use until its service goes or a larger range comes, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      const ranges = simulation.client.resource(ServiceCIDR);
      const services = simulation.client.resource(Service).namespace('default');
      await ranges.create(range('a', '10.77.0.0/28'));
      await ranges.create(range('b', '10.78.0.0/28'));
      await simulation.settle();
      for (const clusterIP of ['10.77.0.5', '10.78.0.5']) {
        const name = clusterIP.replaceAll('.', '-');
        const metadata = { name: `s-${name}` };
        await services.create({
          apiVersion: 'v1',
          kind: 'Service',
          metadata,
          spec: { clusterIP, ports: [{ port: 80 }] },
        });
      }
      await simulation.settle();
      await ranges.delete('a');
      await ranges.delete('b');
      await simulation.settle();
      const inUse = 'Ready=False Terminating';
      assert.deepEqual([await conditionOf(simulation, 'a'), await conditionOf(simulation, 'b')], [inUse, inUse]);
      await services.delete('s-10-77-0-5');
      await ranges.create(range('larger', '10.78.0.0/24'));
      await simulation.settle();
      const names = (await ranges.list()).items.map(({ metadata }) => metadata.name);
      assert.deepEqual(
        names.filter((name) => name !== 'kubernetes'),
        ['larger'],
      );
    });
  }
});
