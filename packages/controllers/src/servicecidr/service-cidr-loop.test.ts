import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isInvalid, isNotFound } from '@binnacle/client/rest';
import { Service } from '@binnacle/client/kinds/core/v1';
import { IPAddress, ServiceCIDR } from '@binnacle/client/kinds/networking/v1';
import * as fc from 'fast-check';
import { faultCases, playHistories, Simulation } from '../testing/index.js';
import { FINALIZER } from './plan.js';
import { offers, prefixesOf, serviceAddress } from './prefixes.js';

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

  for (const [what, faults] of faultCases) {
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

  it('lets no range go that a service needs, and protects all others, through any history', () =>
    playHistories({
      controllers,
      runs: 2,
      step: fc.record({
        act: fc.constantFrom('range', 'range', 'service', 'service', 'delete range', 'delete service'),
        range: fc.constantFrom('10.77.0.0/28', '10.77.0.0/24', '10.78.0.0/28'),
        clusterIP: fc.constantFrom('10.77.0.5', '10.77.0.200', '10.78.0.5'),
      }),
      pauses: [0, 700, 8000, 20_000],
      begin: async (simulation) => {
        const { client } = simulation;
        const ranges = client.resource(ServiceCIDR);
        const services = client.resource(Service).namespace('default');
        const nameOf = (text: string) => `r-${text.replaceAll(/[./]/g, '-')}`;
        const present = async () =>
          (await ranges.list()).items.filter(({ metadata }) => metadata.name !== 'kubernetes');
        await simulation.settle();
        return {
          act: async ({ act, range: cidr, clusterIP }) => {
            const name = nameOf(cidr);
            const isRange = (await present()).some(({ metadata }) => metadata.name === name);
            const service = nameOf(clusterIP);
            const isService = (await services.list()).items.some(({ metadata }) => metadata.name === service);
            const ports = [{ port: 80 }];
            if (act === 'range' && !isRange) await ranges.create(range(name, cidr));
            else if (act === 'delete range' && isRange) await ranges.delete(name);
            else if (act === 'delete service' && isService) await services.delete(service);
            else if (act === 'service' && !isService) {
              const metadata = { name: service };
              // The server refuses an address in no range.
              await services
                .create({ apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP, ports } })
                .catch((error: unknown) => assert.ok(isInvalid(error), String(error)));
            }
          },
          check: async (direct) => {
            const prefixes = (await direct.resource(ServiceCIDR).list()).items.flatMap(prefixesOf);
            for (const object of (await direct.resource(IPAddress).list()).items) {
              const address = serviceAddress(object);
              const isOffered = address === undefined || prefixes.some((prefix) => offers(prefix, address));
              assert.ok(isOffered, `the range of ${object.metadata.name} is gone`);
            }
          },
          settled: async () => {
            for (const { metadata, status } of await present()) {
              const isDeleted = metadata.deletionTimestamp !== undefined;
              assert.deepEqual(metadata.finalizers, [FINALIZER]);
              assert.equal(status?.conditions?.[0]?.status, isDeleted ? 'False' : 'True', metadata.name);
            }
            for (const { metadata } of (await services.list()).items) {
              if (metadata.name !== 'kubernetes') await services.delete(metadata.name ?? '');
            }
            await simulation.settle();
            const left = (await present()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
            assert.deepEqual(left, []);
          },
        };
      },
    }));
});
