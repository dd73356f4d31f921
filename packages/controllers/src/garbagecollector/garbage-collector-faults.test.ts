import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigMap } from '@binnacle/client/kinds/core/v1';
import { faultCases, isFaultless, Simulation } from '../testing/index.js';

const controllers = 'garbage-collector-controller';

const mapsOf = ({ client }: Simulation) => client.resource(ConfigMap).namespace('default');

/** `name < owners` of each map. */
async function owners(simulation: Simulation): Promise<string[]> {
  const { items } = await mapsOf(simulation).list();
  return items
    .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
    .map(({ metadata }) => `${metadata.name} < ${(metadata.ownerReferences ?? []).map(({ name }) => name).join()}`);
}

async function create(simulation: Simulation, name: string, ...of: readonly ConfigMap[]): Promise<ConfigMap> {
  const ownerReferences = of.map(({ apiVersion, kind, metadata: { name: owner = '', uid = '' } }) => {
    return { apiVersion, kind, name: owner, uid, blockOwnerDeletion: true };
  });
  const metadata = { name, ownerReferences };
  return mapsOf(simulation).create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

describe('the garbage collector, of a whole server', () => {
  for (const [what, faults] of faultCases) {
    it(`collects, orphans and waits for dependents, by one write for each, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      const background = await create(simulation, 'background');
      const foreground = await create(simulation, 'foreground');
      const orphaning = await create(simulation, 'orphaning');
      const lasting = await create(simulation, 'lasting');
      await create(simulation, 'a', background);
      await create(simulation, 'b', foreground);
      await create(simulation, 'c', orphaning);
      await create(simulation, 'd', background, lasting);
      await simulation.settle();
      await mapsOf(simulation).delete('background', { propagationPolicy: 'Background' });
      await mapsOf(simulation).delete('foreground', { propagationPolicy: 'Foreground' });
      await mapsOf(simulation).delete('orphaning', { propagationPolicy: 'Orphan' });
      await simulation.settle();
      assert.deepEqual(await owners(simulation), ['c < ', 'd < lasting', 'lasting < ']);
      // The owners lose their finalizers, c and d a reference.
      const counts = { 'delete configmaps': 2, 'patch configmaps': 4 };
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), counts);
      simulation.log.clear();
      await simulation.advance(3_600_000);
      assert.deepEqual(simulation.log.counts(), {});
    });
  }
});
