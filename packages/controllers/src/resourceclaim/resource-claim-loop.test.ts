import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { ResourceClaim, ResourceClaimTemplate } from '@binnacle/client/kinds/resource/v1';
import * as fc from 'fast-check';
import { anyFaults, finishPod, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';
import { FINALIZER } from './plan-claim.js';

const controllers = 'resourceclaim-controller,serviceaccount-controller,garbage-collector-controller';

const claims = ({ client }: { readonly client: DynamicClient }) => client.resource(ResourceClaim).namespace('default');
const pods = ({ client }: Simulation) => client.resource(Pod).namespace('default');

async function createTemplate({ client }: Simulation): Promise<void> {
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu' } }];
  await client
    .resource(ResourceClaimTemplate)
    .namespace('default')
    .create({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: { name: 'tpl' },
      spec: { spec: { devices: { requests } } },
    });
}

async function createPod(simulation: Simulation, entries: readonly string[], name = 'p'): Promise<void> {
  await pods(simulation).create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'img', resources: { claims: entries.map((name) => ({ name })) } }],
      resourceClaims: entries.map((name) => ({ name, resourceClaimTemplateName: 'tpl' })),
    },
  });
}

/** As the scheduler: allocates the claim and reserves it for the pod. */
async function allocate(simulation: Simulation, name: string, uid: string): Promise<void> {
  await claims(simulation).patch(name, { type: 'merge', body: { metadata: { finalizers: [FINALIZER] } } });
  const reservedFor = [{ resource: 'pods', name: 'p', uid }];
  await claims(simulation).status.patch(name, { type: 'merge', body: { status: { allocation: {}, reservedFor } } });
}

/** Each entry of the pod has one claim. */
async function neverTwo(client: DynamicClient): Promise<void> {
  const made = (await claims({ client }).list()).items.map(({ metadata }) => metadata.generateName);
  assert.equal(new Set(made).size, made.length, 'an entry has two claims');
}

describe('the loop of resource claims', () => {
  for (const faults of [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.2, lostAnswers: 0.2 },
  ]) {
    it(`makes claims once and frees them, ${Object.keys(faults).join(' and ') || 'without faults'}`, async () => {
      const given: SimulationFaults = faults;
      await using simulation = await Simulation.start({ controllers, check: neverTwo });
      await simulation.advance(20_000);
      simulation.faults = given;
      simulation.log.clear();
      await createTemplate(simulation);
      await createPod(simulation, ['g', 'h']);
      await simulation.advance(300_000);
      const pod = await pods(simulation).get('p');
      const names = (pod.status?.resourceClaimStatuses ?? []).map(({ resourceClaimName = '' }) => resourceClaimName);
      const made = (await claims(simulation).list()).items.map(({ metadata: { name = '' } }) => name);
      assert.deepEqual([names.length, names.toSorted()], [2, made.toSorted()]);
      if (Object.keys(faults).length === 0) {
        assert.deepEqual(simulation.log.counts(), { 'create resourceclaims': 2, 'patch pods/status': 1 });
      }
      for (const name of names) await allocate(simulation, name, pod.metadata.uid ?? '');
      await simulation.advance(10_000);
      await finishPod(simulation, await pods(simulation).get('p'), 0);
      await simulation.advance(300_000);
      assert.equal((await claims(simulation).list()).items.length, 0);
      simulation.log.clear();
      await simulation.advance(3_600_000);
      assert.deepEqual(simulation.log.counts(), {});
    });
  }

  it('makes the claim when the template comes', async () => {
    await using simulation = await Simulation.start({ controllers });
    await simulation.advance(20_000);
    await createPod(simulation, ['g']);
    await simulation.advance(5000);
    assert.equal((await claims(simulation).list()).items.length, 0);
    await createTemplate(simulation);
    await simulation.advance(1000);
    assert.equal((await claims(simulation).list()).items.length, 1);
  });

  it('leaves the claims of the pods that live, through any history', async () => {
    const step = fc.record({
      act: fc.constantFrom('create', 'delete', 'finish'),
      name: fc.constantFrom('p', 'q'),
      pause: fc.constantFrom(0, 1000, 8000),
    });
    const owners = async (client: DynamicClient) =>
      (await claims({ client }).list()).items.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid ?? '');
    const check = async (client: DynamicClient) => {
      const all = await owners(client);
      assert.equal(new Set(all).size, all.length, 'a pod has two claims');
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 7 }),
        anyFaults,
        fc.nat(),
        async (steps, faults, seed) => {
          await using simulation = await Simulation.start({ controllers, check, seed });
          await simulation.advance(20_000);
          await createTemplate(simulation);
          simulation.faults = faults;
          for (const { act, name, pause } of steps) {
            const pod = (await pods(simulation).list()).items.find(({ metadata }) => metadata.name === name);
            if (pod === undefined && act === 'create') await createPod(simulation, ['g'], name);
            if (pod !== undefined && act === 'delete') await pods(simulation).delete(name, { gracePeriodSeconds: 0 });
            if (pod !== undefined && act === 'finish' && pod.status?.phase === 'Pending')
              await finishPod(simulation, pod, 0);
            await simulation.advance(pause);
          }
          simulation.faults = {};
          await simulation.advance(600_000);
          const living = (await pods(simulation).list()).items.filter(({ status }) => status?.phase === 'Pending');
          assert.deepEqual(
            (await owners(simulation.client)).toSorted(),
            living.map(({ metadata }) => metadata.uid ?? '').toSorted(),
          );
          simulation.log.clear();
          await simulation.advance(3_600_000);
          assert.deepEqual(simulation.log.counts(), {});
        },
      ),
      randomRuns(1),
    );
  });
});
