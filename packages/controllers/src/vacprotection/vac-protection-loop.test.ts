import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import { VolumeAttributesClass } from '@binnacle/client/kinds/storage/v1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'volumeattributesclass-protection-controller';

const classNamed = (name: string): VolumeAttributesClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttributesClass',
  metadata: { name },
  driverName: 'csi.example.com',
  parameters: { iops: '1000' },
});

const claimOf = (volumeAttributesClassName: string): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeAttributesClassName },
});

const volumeOf = (volumeAttributesClassName: string): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'disk' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'csi.example.com', volumeHandle: 'h' },
    volumeAttributesClassName,
  },
});

const classesOf = ({ client }: Simulation) => client.resource(VolumeAttributesClass);
const names = async (simulation: Simulation) =>
  (await classesOf(simulation).list()).items.map(({ metadata: { name = '' } }) => name);

async function deleteClaim({ client }: Simulation): Promise<void> {
  const claims = client.resource(PersistentVolumeClaim).namespace('default');
  await claims.patch('data', { type: 'merge', body: { metadata: { finalizers: null } } });
  await claims.delete('data');
}

async function deleteVolume({ client }: Simulation): Promise<void> {
  const volumes = client.resource(PersistentVolume);
  await volumes.patch('disk', { type: 'merge', body: { metadata: { finalizers: null } } });
  await volumes.delete('disk');
}

describe('the loop that protects classes of volume attributes', () => {
  for (const [what, faults] of faultCases) {
    it(`keeps a class while a claim has it, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      await classesOf(simulation).create(classNamed('gold'));
      await simulation.client.resource(PersistentVolumeClaim).namespace('default').create(claimOf('gold'));
      await simulation.advance(60_000);
      await classesOf(simulation).delete('gold');
      await simulation.advance(60_000);
      assert.deepEqual(await names(simulation), ['gold']);
      await deleteClaim(simulation);
      await simulation.advance(600_000);
      assert.deepEqual(await names(simulation), []);
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), { 'update volumeattributesclasses': 1 });
    });
  }

  it('keeps each class that was in use before its deletion, and no other, through any history', () =>
    playHistories({
      controllers,
      runs: 2,
      step: fc.record({
        act: fc.constantFrom(
          'class',
          'claim',
          'volume',
          'delete class',
          'delete class',
          'delete claim',
          'delete volume',
        ),
        name: fc.constantFrom('gold', 'silver'),
      }),
      begin: async (simulation) => {
        const { client } = simulation;
        for (const name of ['gold', 'silver']) await classesOf(simulation).create(classNamed(name));
        await client.resource(PersistentVolumeClaim).namespace('default').create(claimOf('gold'));
        await client.resource(PersistentVolume).create(volumeOf('silver'));
        await simulation.advance(10_000);
        const used = new Map<'claim' | 'volume', string>([
          ['claim', 'gold'],
          ['volume', 'silver'],
        ]);
        const deleted = new Set<string>();
        /** In use since before the deletion, which comes when all caches show the use. */
        const kept = () => [...used.values()].filter((name) => deleted.has(name));
        return {
          act: async ({ act, name }) => {
            const isThere = (await names(simulation)).includes(name);
            if (act === 'class' && !isThere) {
              deleted.delete(name);
              await classesOf(simulation).create(classNamed(name));
            } else if (act === 'claim' && !used.has('claim') && isThere && !deleted.has(name)) {
              used.set('claim', name);
              await client.resource(PersistentVolumeClaim).namespace('default').create(claimOf(name));
            } else if (act === 'volume' && !used.has('volume') && isThere && !deleted.has(name)) {
              used.set('volume', name);
              await client.resource(PersistentVolume).create(volumeOf(name));
            } else if (act === 'delete class' && isThere) {
              // Upstream, too, decides from its caches.
              await simulation.settle();
              if (!(await names(simulation)).includes(name)) return;
              deleted.add(name);
              await classesOf(simulation).delete(name);
            } else if (act === 'delete claim' && used.delete('claim')) await deleteClaim(simulation);
            else if (act === 'delete volume' && used.delete('volume')) await deleteVolume(simulation);
          },
          check: async (direct) => {
            const { items } = await direct.resource(VolumeAttributesClass).list();
            const present = items.map(({ metadata }) => metadata.name);
            for (const name of kept()) assert.ok(present.includes(name), `${name} is in use and gone`);
          },
          settled: async () => {
            const expected = new Set(['gold', 'silver'].filter((name) => !deleted.has(name)).concat(kept()));
            assert.deepEqual(await names(simulation), [...expected].sort());
          },
        };
      },
    }));
});
