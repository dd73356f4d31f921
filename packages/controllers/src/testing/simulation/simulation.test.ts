import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNotFound } from '@binnacle/client/rest';
import { ConfigMap, Namespace, Pod } from '@binnacle/client/kinds/core/v1';
import type { OwnerReference } from '@binnacle/client/typed';
import * as fc from 'fast-check';
import { randomRuns } from '../random-runs.js';
import type { SimulationFaults } from './faults.js';
import { finishPod, runPod } from './pods.js';
import { Simulation } from './simulation.js';

const configMap = (name: string, owner?: ConfigMap): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...(owner === undefined ? {} : { ownerReferences: [referenceTo(owner)] }) },
});

const referenceTo = ({ apiVersion, kind, metadata: { name = '', uid = '' } }: ConfigMap): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
});

const pod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { serviceAccountName: 'default', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] },
});

/** A chain of owners, whose first is deleted. */
async function collectChain(simulation: Simulation, length: number): Promise<string[]> {
  const configMaps = simulation.client.resource(ConfigMap).namespace('default');
  let owner = await configMaps.create(configMap('link-0'));
  for (let index = 1; index < length; index++) owner = await configMaps.create(configMap(`link-${index}`, owner));
  await simulation.settle();
  simulation.log.clear();
  await configMaps.delete('link-0');
  await simulation.settle();
  return (await configMaps.list()).items
    .map(({ metadata: { name = '' } }) => name)
    .filter((name) => name !== 'kube-root-ca.crt');
}

const withGarbageCollector = { controllers: 'garbage-collector-controller' };

describe('simulation', () => {
  it('runs loops of the table with the rights of their accounts, and counts their requests', async () => {
    await using simulation = await Simulation.start(withGarbageCollector);
    assert.deepEqual(await collectChain(simulation, 4), []);
    assert.deepEqual(simulation.log.counts(), { 'delete configmaps': 3 });
    const users = new Set(simulation.log.writes.map(({ user }) => user));
    assert.deepEqual([...users], ['system:serviceaccount:kube-system:generic-garbage-collector']);
    assert.deepEqual(simulation.reports, []);
  });

  it('does the same twice with the same seed', async () => {
    const faults = { watchDelay: 700, brokenWatches: 0.1, conflicts: 0.2, failedWrites: 0.2, lostAnswers: 0.2 };
    const play = async (seed: number) => {
      await using simulation = await Simulation.start({ ...withGarbageCollector, seed, faults });
      const left = await collectChain(simulation, 5);
      return { left, requests: simulation.log.all, reports: simulation.reports };
    };
    const [first, second, other] = [await play(7), await play(7), await play(8)];
    assert.deepEqual(second, first);
    assert.notDeepEqual(other.requests, first.requests);
  });

  it('makes caches stale by the delay of watches', async () => {
    const faults = { watchDelay: 5000 };
    await using simulation = await Simulation.start({ controllers: 'serviceaccount-controller', faults });
    await simulation.settle();
    simulation.log.clear();
    await simulation.client
      .resource(Namespace)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'late' } });
    await simulation.advance(4999);
    assert.deepEqual(simulation.log.counts(), {});
    await simulation.advance(1);
    assert.deepEqual(simulation.log.counts(), { 'create serviceaccounts': 1 });
  });

  it('kills the loops after each write, and others continue', async () => {
    const faults = { restartAfterWrites: true };
    await using simulation = await Simulation.start({ ...withGarbageCollector, faults });
    assert.deepEqual(await collectChain(simulation, 4), []);
    const lists = simulation.log.all.filter(({ verb, resource }) => verb === 'list' && resource === 'configmaps');
    assert.deepEqual([simulation.log.counts(), lists.length], [{ 'delete configmaps': 3 }, 3]);
  });

  it('deletes a namespace although each write ends the process and caches are stale', async () => {
    const faults = { watchDelay: 5000, restartAfterWrites: true };
    const controllers = 'namespace-controller,serviceaccount-controller';
    await using simulation = await Simulation.start({ controllers, faults });
    const namespaces = simulation.client.resource(Namespace);
    await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } });
    await simulation.settle();
    const { metadata, ...rest } = configMap('inside');
    await simulation.client.resource(ConfigMap).create({ ...rest, metadata: { ...metadata, namespace: 'doomed' } });
    await namespaces.delete('doomed');
    await simulation.settle();
    await assert.rejects(namespaces.get('doomed'), isNotFound);
  });

  it('collects garbage with any faults', async () => {
    const share = fc.constantFrom(0, 0.1, 0.5);
    const faults: fc.Arbitrary<SimulationFaults> = fc.record({
      watchDelay: fc.constantFrom(0, 5000),
      brokenWatches: share,
      expiredWatches: share,
      conflicts: share,
      failedWrites: share,
      lostAnswers: share,
      restartAfterWrites: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), faults, async (seed, faults) => {
        await using simulation = await Simulation.start({ ...withGarbageCollector, seed, faults });
        assert.deepEqual(await collectChain(simulation, 4), []);
      }),
      randomRuns(2),
    );
  });

  it('rejects with the error of a check after a write', async () => {
    const check = async () => {
      throw new Error('too many');
    };
    await using simulation = await Simulation.start({ controllers: 'serviceaccount-controller', check });
    await assert.rejects(simulation.advance(1000), /^Error: too many$/);
  });

  it('binds, runs, ends and removes pods', async () => {
    const behaviour = { readyAfter: 3000, outcome: () => ({ after: 10_000, exitCode: 1 }) };
    await using simulation = await Simulation.start({ controllers: 'serviceaccount-controller', nodes: 3, behaviour });
    const pods = simulation.client.resource(Pod).namespace('default');
    const phases = async () => (await pods.get('p')).status?.phase;
    await simulation.advance(1000);
    await pods.create(pod('p'));
    await simulation.advance(2999);
    assert.equal(await phases(), 'Pending');
    await simulation.advance(1);
    const { spec, status } = await pods.get('p');
    assert.match(spec?.nodeName ?? '', /^node-[012]$/);
    assert.equal(status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
    await simulation.advance(10_000);
    assert.equal(await phases(), 'Failed');
    await pods.delete('p');
    await simulation.advance(500);
    await assert.rejects(pods.get('p'), isNotFound);
  });

  it('refuses a pod at once whose account no loop makes', async () => {
    await using simulation = await Simulation.start({ controllers: 'namespace-controller' });
    const message = /error looking up service account default\/default: serviceaccount "default" not found$/;
    await assert.rejects(simulation.client.resource(Pod).namespace('default').create(pod('p')), { message });
  });

  it('leaves pods to the test when there are no nodes', async () => {
    await using simulation = await Simulation.start({ controllers: 'serviceaccount-controller' });
    await simulation.advance(1000);
    const pods = simulation.client.resource(Pod).namespace('default');
    const created = await pods.create(pod('p'));
    await runPod(simulation, created, { isReady: false });
    assert.equal((await pods.get('p')).status?.phase, 'Running');
    await finishPod(simulation, created);
    assert.equal((await pods.get('p')).status?.phase, 'Succeeded');
  });
});
