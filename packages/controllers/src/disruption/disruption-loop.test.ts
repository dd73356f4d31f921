import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import { PodDisruptionBudget } from '@binnacle/client/kinds/policy/v1';
import { StatusError } from '@binnacle/apimachinery/status';
import * as fc from 'fast-check';
import { isPodReady, isPodTerminating } from '../common/index.js';
import { runPod, Simulation, type SimulationFaults, type SimulationOptions, randomRuns } from '../testing/index.js';

const CONTROLLERS = 'disruption-controller,replicaset-controller,serviceaccount-controller';
const LABELS = { app: 'web' };
const SELECTOR = { matchLabels: LABELS };

async function start(spec: NonNullable<PodDisruptionBudget['spec']>, options: Partial<SimulationOptions> = {}) {
  const simulation = await Simulation.start({ controllers: CONTROLLERS, ...options });
  await simulation.settle();
  const budgets = simulation.client.resource(PodDisruptionBudget).namespace('default');
  const metadata = { name: 'web', namespace: 'default' };
  await budgets.create({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec });
  return {
    simulation,
    budgets,
    pods: simulation.client.resource(Pod).namespace('default'),
    statusWrites: () =>
      simulation.log.writes.filter(({ resource }) => resource === 'poddisruptionbudgets/status').length,
  };
}

async function createSet({ client }: Simulation, replicas: number): Promise<void> {
  const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'c', image: 'img' }] } };
  const set: ReplicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web' },
    spec: { replicas, selector: SELECTOR, template },
  };
  await client.resource(ReplicaSet).namespace('default').create(set);
}

async function createPod({ client }: Simulation, pod: Partial<Pod>): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'img' }], schedulerName: 'none' };
  await client
    .resource(Pod)
    .namespace('default')
    .create({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec, ...pod });
}

describe('the loop of budgets', () => {
  it('follows its pods with one write each, and then writes nothing', async () => {
    const { simulation, budgets, statusWrites } = await start(
      { minAvailable: '50%', selector: SELECTOR },
      { nodes: 1 },
    );
    await using _ = simulation;
    await createSet(simulation, 4);
    await simulation.settle();
    const { currentHealthy, desiredHealthy, disruptionsAllowed, expectedPods } =
      (await budgets.get('web')).status ?? {};
    assert.deepEqual([currentHealthy, desiredHealthy, disruptionsAllowed, expectedPods], [4, 2, 2, 4]);
    assert.ok(statusWrites() <= 6, `${statusWrites()} writes of the status`);
    simulation.log.clear();
    await simulation.advance(3_600_000);
    assert.equal(statusWrites(), 0);
    assert.deepEqual(simulation.reports, []);
  });

  it('says why it cannot compute a budget, and recovers', async () => {
    const { simulation, budgets } = await start({ maxUnavailable: 1, selector: SELECTOR });
    await using _ = simulation;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'uid', controller: true };
    await createPod(simulation, { metadata: { name: 'odd', labels: LABELS, ownerReferences: [owner] } });
    await simulation.advance(10_000);
    const [failed] = (await budgets.get('web')).status?.conditions ?? [];
    const text = 'configmaps does not implement the scale subresource';
    assert.deepEqual([failed?.reason, failed?.message], ['SyncFailed', text]);
    await simulation.client.resource(Pod).namespace('default').delete('odd', { gracePeriodSeconds: 0 });
    await simulation.advance(10_000);
    assert.equal((await budgets.get('web')).status?.conditions?.[0]?.reason, 'InsufficientPods');
    assert.deepEqual(simulation.reports, []);
  });

  it('clears the condition of a disruption that does not happen', async () => {
    const { simulation, pods } = await start({ minAvailable: 1, selector: SELECTOR });
    await using _ = simulation;
    await createPod(simulation, { metadata: { name: 'a', labels: LABELS } });
    const now = new Date(simulation.clock.now()).toISOString().replace(/\.\d+/, '');
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      lastTransitionTime: now,
    };
    await pods.status.patch('a', { type: 'strategic', body: { status: { conditions: [condition] } } });
    const statusOf = async () =>
      (await pods.get('a')).status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.status;
    await simulation.advance(110_000);
    assert.equal(await statusOf(), 'True');
    await simulation.advance(15_000);
    assert.equal(await statusOf(), 'False');
  });

  it('forgets an eviction that did not happen, and warns of the pod', async () => {
    const { simulation, budgets } = await start({ minAvailable: 1, selector: SELECTOR });
    await using _ = simulation;
    await createPod(simulation, { metadata: { name: 'a', labels: LABELS } });
    await runPod(simulation, await simulation.client.resource(Pod).namespace('default').get('a'));
    await simulation.advance(1000);
    const disruptedPods = { a: new Date(simulation.clock.now()).toISOString().replace(/\.\d+/, '') };
    await budgets.status.patch('web', { type: 'merge', body: { status: { disruptedPods } } });
    await simulation.advance(60_000);
    assert.equal((await budgets.get('web')).status?.currentHealthy, 0);
    await simulation.advance(61_000);
    const { status } = await budgets.get('web');
    assert.deepEqual([status?.currentHealthy, status?.disruptedPods], [1, undefined]);
  });
});

const REPLICAS = 4;
const LEAST = 3;

describe('evictions never leave fewer pods than the budget needs', () => {
  const FAULTS: readonly SimulationFaults[] = [
    { watchDelay: 5000 },
    { restartAfterWrites: true, watchDelay: 1000 },
    { conflicts: 0.2, failedWrites: 0.2, lostAnswers: 0.2, watchDelay: 300 },
    { brokenWatches: 0.2, expiredWatches: 0.2, watchDelay: 500 },
  ];
  const waits = fc.array(fc.constantFrom(0, 100, 2000, 20_000), { minLength: 3, maxLength: 5 });
  const spec = fc.constantFrom({ minAvailable: LEAST }, { maxUnavailable: 1 }, { minAvailable: '70%' });
  for (const faults of FAULTS) {
    it(`with ${Object.keys(faults).join(', ')}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), spec, waits, async (seed, limits, pauses) =>
          evictAll(limits, pauses, seed, faults),
        ),
        randomRuns(1),
      );
    });
  }
});

async function evictAll(
  limits: NonNullable<PodDisruptionBudget['spec']>,
  pauses: readonly number[],
  seed: number,
  faults: SimulationFaults,
): Promise<void> {
  const { simulation, budgets, pods } = await start({ ...limits, selector: SELECTOR }, { nodes: 2, seed });
  await using _ = simulation;
  await createSet(simulation, REPLICAS);
  await simulation.settle();
  simulation.faults = faults;
  let evicted = 0;
  for (const pause of pauses) {
    await simulation.advance(pause);
    for (const { metadata } of (await pods.list()).items) {
      const name = metadata.name ?? '';
      try {
        await pods.eviction.create(name, {});
        evicted++;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
      }
      const healthy = (await pods.list()).items.filter((pod) => isPodReady(pod) && !isPodTerminating(pod)).length;
      assert.ok(healthy >= LEAST, `${healthy} healthy pods`);
    }
  }
  simulation.faults = {};
  await simulation.settle({ quiet: 310_000 });
  assert.ok(evicted > 0);
  const { currentHealthy, disruptionsAllowed } = (await budgets.get('web')).status ?? {};
  assert.deepEqual([currentHealthy, disruptionsAllowed], [REPLICAS, REPLICAS - LEAST]);
}
