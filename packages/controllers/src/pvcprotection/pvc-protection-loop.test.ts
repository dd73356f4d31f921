import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'persistentvolumeclaim-protection-controller,serviceaccount-controller';

async function createClaim({ client }: Simulation): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const claim: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec,
  };
  await client.resource(PersistentVolumeClaim).namespace('default').create(claim);
}

async function createPod({ client }: Simulation): Promise<void> {
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'img' }], volumes };
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db' }, spec };
  await client.resource(Pod).namespace('default').create(pod);
}

const claims = async ({ client }: Simulation) => (await client.resource(PersistentVolumeClaim).list()).items.length;
const deleteClaim = async ({ client }: Simulation) =>
  client.resource(PersistentVolumeClaim).namespace('default').delete('data');

describe('the loop that protects claims', () => {
  it('lets an unused claim go', async () => {
    await using simulation = await Simulation.start({ controllers });
    await simulation.advance(1000);
    await createClaim(simulation);
    await deleteClaim(simulation);
    await simulation.advance(1000);
    assert.equal(await claims(simulation), 0);
  });

  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3 },
  ]) {
    it(`keeps a claim until its pod is gone, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      const given: SimulationFaults = faults;
      await using simulation = await Simulation.start({ controllers, faults: given });
      await simulation.advance(20_000);
      await createClaim(simulation);
      await createPod(simulation);
      await deleteClaim(simulation);
      await simulation.advance(60_000);
      assert.equal(await claims(simulation), 1);
      await simulation.client.resource(Pod).namespace('default').delete('db', { gracePeriodSeconds: 0 });
      await simulation.advance(600_000);
      assert.equal(await claims(simulation), 0);
    });
  }
});
