import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StorageVersion } from '@binnacle/client/kinds/apiserverinternal/v1alpha1';
import { Lease } from '@binnacle/client/kinds/coordination/v1';
import * as fc from 'fast-check';
import { anyFaults, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'storageversion-garbage-collector-controller';
const runtimeConfig = 'internal.apiserver.k8s.io/v1alpha1=true';
const servers = ['a', 'b', 'c'];

async function start(faults: SimulationFaults, seed = 1): Promise<Simulation> {
  const simulation = await Simulation.start({ controllers, runtimeConfig, faults, seed });
  for (const name of servers) {
    await simulation.client
      .resource(Lease)
      .namespace('kube-system')
      .create({
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } },
      });
  }
  return simulation;
}

async function record({ client }: Simulation, name: string, of: readonly string[]): Promise<void> {
  const records = client.resource(StorageVersion);
  const created = await records.create({
    apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
    kind: 'StorageVersion',
    metadata: { name },
    spec: {},
  });
  const storageVersions = of.map((apiServerID) => ({ apiServerID, encodingVersion: 'v1', decodableVersions: ['v1'] }));
  await records.status.update({ ...created, status: { storageVersions } });
}

/** `name: servers` of each record. */
async function records({ client }: Simulation): Promise<string[]> {
  const { items } = await client.resource(StorageVersion).list();
  return items.map(
    ({ metadata, status }) =>
      `${metadata.name}: ${(status?.storageVersions ?? []).map(({ apiServerID }) => apiServerID).join(' ')}`,
  );
}

describe('the garbage collector of stored versions', () => {
  for (const faults of [{}, { watchDelay: 5000 }, { restartAfterWrites: true }] as const) {
    it(`drops what a server that is gone has recorded, ${Object.keys(faults).join() || 'without faults'}`, async () => {
      await using simulation = await start(faults);
      await record(simulation, 'apps.deployments', ['a', 'b']);
      await record(simulation, 'batch.jobs', ['a']);
      await record(simulation, 'core.pods', ['b', 'c', 'unknown']);
      await simulation.advance(60_000);
      assert.deepEqual(await records(simulation), ['apps.deployments: a b', 'batch.jobs: a', 'core.pods: b c']);
      await simulation.client.resource(Lease).namespace('kube-system').delete('a');
      await simulation.advance(60_000);
      assert.deepEqual(await records(simulation), ['apps.deployments: b', 'core.pods: b c']);
      if (Object.keys(faults).length > 0) return;
      const counts = { 'update storageversions/status': 2, 'delete storageversions': 1 };
      assert.deepEqual(simulation.log.counts(simulation.log.writes), counts);
    });
  }

  it('leaves only entries of servers that exist, whatever goes wrong', async () => {
    const history = fc.record({
      seed: fc.nat(),
      faults: anyFaults,
      given: fc.array(fc.subarray([...servers, 'unknown'], { minLength: 1 }), { minLength: 1, maxLength: 4 }),
      gone: fc.subarray(servers),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ seed, faults, given, gone }) => {
        await using simulation = await start(faults, seed);
        for (const [index, names] of given.entries()) await record(simulation, `core.r${index}`, names);
        for (const name of gone) await simulation.client.resource(Lease).namespace('kube-system').delete(name);
        await simulation.settle();
        const expected = given.flatMap((names, index) => {
          const left = names.filter((name) => servers.includes(name) && !gone.includes(name));
          return left.length === 0 ? [] : [`core.r${index}: ${left.join(' ')}`];
        });
        assert.deepEqual(await records(simulation), expected);
      }),
      randomRuns(3),
    );
  });
});
