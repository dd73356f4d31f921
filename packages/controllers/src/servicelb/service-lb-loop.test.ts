import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Event, Node, Service } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { Simulation, type SimulationOptions, randomRuns } from '../testing/index.js';
import { addressesOf, FINALIZER } from './load-balancer.js';

const controllers = 'service-lb-controller';
const loadBalancerIPRange = '192.168.100.0/29';

const start = (options: Partial<SimulationOptions> = {}) =>
  Simulation.start({ controllers, loadBalancerIPRange, ...options });

const service = (name: string, spec: Service['spec'] = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...spec },
});

const servicesIn = ({ client }: { readonly client: DynamicClient }) => client.resource(Service).namespace('default');

const addressIn = async (simulation: Simulation, name: string) =>
  addressesOf(await servicesIn(simulation).get(name)).join();

const eventsIn = async ({ client }: Simulation) =>
  (await client.resource(Event).namespace('default').list()).items
    .filter(({ source }) => source?.component === 'service-controller')
    .map(({ reason = '', message = '' }) => `${reason}: ${message}`);

/** No two services have the same address. */
async function noneTwice(client: DynamicClient): Promise<void> {
  const addresses = (await servicesIn({ client }).list()).items.flatMap(addressesOf);
  assert.equal(new Set(addresses).size, addresses.length, addresses.join(' '));
}

describe('the loop of load balancers', () => {
  it('gives and takes an address with one write each, and is then idle', async () => {
    await using simulation = await start();
    await simulation.nodes.create('node');
    await servicesIn(simulation).create(service('web'));
    await simulation.settle();
    assert.equal(await addressIn(simulation, 'web'), '192.168.100.1');
    assert.deepEqual((await servicesIn(simulation).get('web')).metadata.finalizers, [FINALIZER]);
    await servicesIn(simulation).delete('web');
    await simulation.settle();
    assert.deepEqual(simulation.log.counts(), { 'patch services/status': 2, 'create events': 4 });
    assert.deepEqual(await eventsIn(simulation), [
      'EnsuringLoadBalancer: Ensuring load balancer',
      'EnsuredLoadBalancer: Ensured load balancer',
      'DeletingLoadBalancer: Deleting load balancer',
      'DeletedLoadBalancer: Deleted load balancer',
    ]);
    await assert.rejects(servicesIn(simulation).get('web'), /not found/);
    simulation.log.clear();
    await simulation.advance(3_600_000);
    assert.deepEqual(simulation.log.counts(), {});
    assert.deepEqual(simulation.reports, []);
  });

  it('does nothing without a range', async () => {
    await using simulation = await start({ loadBalancerIPRange: '' });
    await servicesIn(simulation).create(service('web'));
    await simulation.settle();
    assert.deepEqual(simulation.log.all, []);
  });

  it('gives the address back when the type changes, and waits for a free one', async () => {
    await using simulation = await start({ loadBalancerIPRange: '192.168.100.1/32' });
    await servicesIn(simulation).create(service('one'));
    await simulation.settle();
    await servicesIn(simulation).create(service('two'));
    await simulation.advance(1000);
    assert.equal(await addressIn(simulation, 'two'), '');
    const message =
      'Error syncing load balancer: failed to ensure load balancer: all addresses of 192.168.100.1/32 are taken';
    assert.ok((await eventsIn(simulation)).includes(`SyncLoadBalancerFailed: ${message}`));
    await servicesIn(simulation).patch('one', { type: 'merge', body: { spec: { type: 'ClusterIP' } } });
    await simulation.advance(300_000);
    assert.deepEqual([await addressIn(simulation, 'one'), await addressIn(simulation, 'two')], ['', '192.168.100.1']);
    assert.equal((await servicesIn(simulation).get('one')).metadata.finalizers, undefined);
  });

  it('keeps addresses over a restart, without a write of a service', async () => {
    await using simulation = await start();
    for (const name of ['b', 'a', 'c']) {
      await servicesIn(simulation).create(service(name));
      await simulation.advance(1000);
    }
    await servicesIn(simulation).delete('b');
    await simulation.settle();
    simulation.log.clear();
    simulation.restart();
    await simulation.settle();
    assert.equal(simulation.log.counts()['patch services/status'], undefined);
    assert.deepEqual(
      [await addressIn(simulation, 'a'), await addressIn(simulation, 'c')],
      ['192.168.100.2', '192.168.100.3'],
    );
  });

  it('records events when the nodes change', async () => {
    await using simulation = await start();
    await servicesIn(simulation).create(service('web'));
    await simulation.settle();
    await simulation.nodes.create('node');
    await simulation.settle();
    await simulation.client.resource(Node).delete('node');
    await simulation.settle();
    const reasons = (await eventsIn(simulation)).map((text) => text.split(':')[0]);
    assert.ok(reasons.includes('UpdatedLoadBalancer') && reasons.includes('UnAvailableLoadBalancer'));
  });

  it('gives every service an address of its own after any history, with any faults', async () => {
    const share = fc.constantFrom(0, 0.2);
    const faults = fc.record({
      watchDelay: fc.constantFrom(0, 5000),
      conflicts: share,
      failedWrites: share,
      lostAnswers: share,
      restartAfterWrites: fc.boolean(),
    });
    const step = fc.record({ name: fc.constantFrom('a', 'b', 'c'), after: fc.constantFrom(0, 10, 8000) });
    await fc.assert(
      fc.asyncProperty(fc.nat(), faults, fc.array(step, { maxLength: 10 }), async (seed, faults, history) => {
        // After a restart, caches begin with the present, so even a killed process gives no address twice.
        await using simulation = await start({ seed, faults, check: noneTwice });
        const present = new Set<string>();
        for (const { name, after } of history) {
          await simulation.advance(after);
          const names = (await servicesIn(simulation).list()).items.map(({ metadata }) => metadata.name);
          if (present.delete(name)) await servicesIn(simulation).delete(name);
          else if (!names.includes(name))
            await servicesIn(simulation)
              .create(service(name))
              .then(() => present.add(name));
        }
        simulation.faults = {};
        await simulation.settle();
        for (const name of present) assert.match(await addressIn(simulation, name), /^192\.168\.100\.[1-6]$/);
      }),
      randomRuns(2),
    );
  });
});
