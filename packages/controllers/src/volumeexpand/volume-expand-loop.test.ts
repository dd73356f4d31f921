import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { StorageClass } from '@binnacle/client/kinds/storage/v1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';
import { RESIZER } from './plan.js';

const controllers = 'persistentvolume-expander-controller,persistentvolume-binder-controller';
const accessModes = ['ReadWriteOnce'];

const claimsOf = ({ client }: Simulation) => client.resource(PersistentVolumeClaim).namespace('default');

/** Claims of 1Gi, each bound to a volume of a plugin that a driver has replaced. */
async function bind(simulation: Simulation, names: readonly string[]): Promise<void> {
  const { client } = simulation;
  await client.resource(StorageClass).create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'slow' },
    provisioner: 'kubernetes.io/aws-ebs',
    allowVolumeExpansion: true,
  });
  for (const name of names) {
    await client.resource(PersistentVolume).create({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes,
        storageClassName: 'slow',
        awsElasticBlockStore: { volumeID: name },
      },
    });
    await claimsOf(simulation).create({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: { accessModes, storageClassName: 'slow', resources: { requests: { storage: '1Gi' } } },
    });
  }
  await simulation.advance(60_000);
}

async function grow(simulation: Simulation, name: string, storage: string): Promise<void> {
  await claimsOf(simulation).patch(name, { type: 'merge', body: { spec: { resources: { requests: { storage } } } } });
}

/** The driver that each claim names. */
async function resizers(simulation: Simulation): Promise<Record<string, string | undefined>> {
  const { items } = await claimsOf(simulation).list();
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name ?? '', metadata.annotations?.[RESIZER]]));
}

describe('the loop that expands volumes', () => {
  for (const [what, faults] of faultCases) {
    it(`names the driver that expands, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      await bind(simulation, ['data']);
      simulation.log.clear();
      await grow(simulation, 'data', '2Gi');
      await simulation.advance(60_000);
      assert.deepEqual(await resizers(simulation), { data: 'ebs.csi.aws.com' });
      // A new process records the event again.
      if (isFaultless(faults) && faults.restartAfterWrites !== true) {
        const requests = { 'create events': 1, 'patch persistentvolumeclaims/status': 1 };
        assert.deepEqual(simulation.log.counts(), requests);
      }
    });
  }

  it('names it in each claim that has waited for more, and in no other, through any history', () =>
    playHistories({
      controllers,
      runs: 1,
      step: fc.record({ act: fc.constantFrom('grow', 'grow', 'expand', 'forget'), name: fc.constantFrom('a', 'b') }),
      begin: async (simulation) => {
        await bind(simulation, ['a', 'b']);
        const [asked, given] = [
          new Map([
            ['a', 1],
            ['b', 1],
          ]),
          new Map([
            ['a', 1],
            ['b', 1],
          ]),
        ];
        const grown = new Set<string>();
        return {
          act: async ({ act, name }) => {
            const [wanted, size] = [asked.get(name) ?? 1, given.get(name) ?? 1];
            if (act === 'grow') {
              asked.set(name, wanted + 1);
              grown.add(name);
              await grow(simulation, name, `${wanted + 1}Gi`);
            } else if (act === 'expand' && size < wanted) {
              given.set(name, wanted);
              const body = { status: { capacity: { storage: `${wanted}Gi` } } };
              await claimsOf(simulation).status.patch(name, { type: 'merge', body });
            } else if (act === 'forget' && size === wanted) {
              grown.delete(name);
              const body = { metadata: { annotations: { [RESIZER]: null } } };
              await claimsOf(simulation).patch(name, { type: 'merge', body });
            }
          },
          check: async (_, { resource, name }) => {
            if (resource === 'persistentvolumeclaims/status') assert.ok(grown.has(name), `${name} does not wait`);
          },
          settled: async () => {
            const found = await resizers(simulation);
            for (const name of ['a', 'b']) {
              const isWaiting = (asked.get(name) ?? 1) > (given.get(name) ?? 1);
              if (isWaiting) assert.equal(found[name], 'ebs.csi.aws.com', name);
              if (!grown.has(name)) assert.equal(found[name], undefined, name);
            }
          },
        };
      },
    }));
});
