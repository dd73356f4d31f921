import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'ephemeral-volume-controller,serviceaccount-controller,garbage-collector-controller';

const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec } as const;

async function createPod({ client }: Simulation, podName = 'db'): Promise<void> {
  const volumes = ['a', 'b'].map((name) => ({ name, ephemeral: { volumeClaimTemplate: { spec } } }));
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podName },
    spec: { containers: [{ name: 'c', image: 'img' }], volumes },
  };
  await client.resource(Pod).namespace('default').create(pod);
}

const claims = ({ client }: Simulation) => client.resource(PersistentVolumeClaim).namespace('default');
const names = async (simulation: Simulation) =>
  (await claims(simulation).list()).items.map(({ metadata }) => metadata.name);

describe('the loop that makes claims of ephemeral volumes', () => {
  for (const [what, faults] of faultCases) {
    it(`makes each claim once, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers });
      await simulation.advance(20_000);
      simulation.faults = faults;
      simulation.log.clear();
      await createPod(simulation);
      await simulation.advance(600_000);
      assert.deepEqual(await names(simulation), ['db-a', 'db-b']);
      if (isFaultless(faults)) {
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

  it('makes the claims of each pod, and leaves those of others alone, through any history', () =>
    playHistories({
      controllers: 'ephemeral-volume-controller,serviceaccount-controller',
      runs: 2,
      step: fc.record({
        act: fc.constantFrom('pod', 'pod', 'delete pod', 'delete claim', 'claim'),
        pod: fc.constantFrom('db', 'web'),
      }),
      begin: async (simulation) => {
        await simulation.advance(1000);
        const pods = simulation.client.resource(Pod).namespace('default');
        const present = new Map<string, string | undefined>();
        const foreign = new Map<string, string | undefined>();
        const remove = async (name: string): Promise<void> => {
          const isThere = (await names(simulation)).includes(name);
          if (!isThere) return;
          await claims(simulation).patch(name, { type: 'merge', body: { metadata: { finalizers: null } } });
          await claims(simulation).delete(name);
        };
        /** As the garbage collector, which would take most of the time. */
        const removeClaimsOfDeletedPods = async (): Promise<void> => {
          for (const { metadata } of (await claims(simulation).list()).items) {
            const owners = metadata.ownerReferences ?? [];
            if (owners.some(({ uid }) => ![...present.values()].includes(uid))) await remove(metadata.name ?? '');
          }
        };
        return {
          act: async ({ act, pod }) => {
            const name = `${pod}-a`;
            if (act === 'pod' && !present.has(pod)) {
              await createPod(simulation, pod);
              present.set(pod, (await pods.get(pod)).metadata.uid);
            } else if (act === 'delete pod' && present.delete(pod)) await pods.delete(pod, { gracePeriodSeconds: 0 });
            else if (act === 'delete claim' && !foreign.has(pod)) await remove(name);
            else if (act === 'claim' && !(await names(simulation)).includes(name)) {
              const { metadata } = await claims(simulation).create({ ...claim, metadata: { name } });
              foreign.set(pod, metadata.uid);
            }
          },
          check: async (direct) => {
            const { items } = await direct.resource(PersistentVolumeClaim).list();
            for (const [pod, uid] of foreign) {
              const found = items.find(({ metadata }) => metadata.name === `${pod}-a`);
              assert.deepEqual([found?.metadata.uid, found?.metadata.ownerReferences], [uid, undefined]);
            }
          },
          settled: async () => {
            for (const pod of foreign.keys()) {
              foreign.delete(pod);
              await remove(`${pod}-a`);
            }
            await removeClaimsOfDeletedPods();
            // A pod whose claim had another owner for long is tried again after a pause of up to 1000 s.
            await simulation.settle({ quiet: 1_100_000 });
            const expected = [...present.keys()].sort().flatMap((pod) => [`${pod}-a`, `${pod}-b`]);
            assert.deepEqual(await names(simulation), expected);
          },
        };
      },
    }));
});
