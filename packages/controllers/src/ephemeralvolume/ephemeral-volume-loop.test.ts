import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'ephemeral-volume-controller,serviceaccount-controller,garbage-collector-controller';

async function createPod({ client }: Simulation): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const volumes = ['a', 'b'].map((name) => ({ name, ephemeral: { volumeClaimTemplate: { spec } } }));
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'db' },
    spec: { containers: [{ name: 'c', image: 'img' }], volumes },
  };
  await client.resource(Pod).namespace('default').create(pod);
}

const claims = ({ client }: Simulation) => client.resource(PersistentVolumeClaim).namespace('default');
const names = async (simulation: Simulation) =>
  (await claims(simulation).list()).items.map(({ metadata }) => metadata.name);

describe('the loop that makes claims of ephemeral volumes', () => {
  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.2 },
  ]) {
    it(`makes each claim once, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      const given: SimulationFaults = faults;
      await using simulation = await Simulation.start({ controllers });
      await simulation.advance(20_000);
      simulation.faults = given;
      simulation.log.clear();
      await createPod(simulation);
      await simulation.advance(600_000);
      assert.deepEqual(await names(simulation), ['db-a', 'db-b']);
      if (faults.conflicts === undefined) {
        assert.deepEqual(simulation.log.counts(), { 'create persistentvolumeclaims': 2 });
      }
    });
  }

  it('makes a deleted claim again, and none for a deleted pod', async () => {
    await using simulation = await Simulation.start({ controllers });
    await simulation.advance(20_000);
    await createPod(simulation);
    await simulation.advance(10_000);
    await claims(simulation).patch('db-a', { type: 'merge', body: { metadata: { finalizers: null } } });
    await claims(simulation).delete('db-a');
    await simulation.advance(10_000);
    assert.deepEqual(await names(simulation), ['db-a', 'db-b']);
    for (const name of ['db-a', 'db-b']) {
      await claims(simulation).patch(name, { type: 'merge', body: { metadata: { finalizers: null } } });
    }
    await simulation.client.resource(Pod).namespace('default').delete('db', { gracePeriodSeconds: 0 });
    await simulation.advance(60_000);
    assert.deepEqual(await names(simulation), []);
  });
});
