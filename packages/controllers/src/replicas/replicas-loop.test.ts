import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerOf } from '@binnacle/client/controller';
import { ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { LimitRange, Pod, ReplicationController } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { isPodActive } from '../common/index.js';
import { finishPod, Simulation, type SimulationFaults, type SimulationOptions, randomRuns } from '../testing/index.js';

const LOOPS = 'replicaset-controller,replicationcontroller-controller';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'image' }] },
};

const replicaSet = (replicas: number): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default' },
  spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
});

async function start(options: Partial<SimulationOptions> = {}) {
  const simulation = await Simulation.start({
    controllers: `${LOOPS},serviceaccount-controller`,
    nodes: 2,
    ...options,
  });
  const sets = simulation.client.resource(ReplicaSet).namespace('default');
  const pods = simulation.client.resource(Pod).namespace('default');
  const active = async () =>
    (await pods.list()).items.filter((pod) => isPodActive(pod) && controllerOf(pod) !== undefined);
  const scale = (replicas: number) => sets.patch('web', { type: 'merge', body: { spec: { replicas } } });
  const writes = () => {
    const counts = simulation.log.counts(
      simulation.log.writes.filter(({ resource }) => !['events', 'serviceaccounts'].includes(resource)),
    );
    simulation.log.clear();
    return counts;
  };
  return { simulation, sets, pods, active, scale, writes };
}

describe('the ReplicaSet loop', () => {
  it('creates, replaces and deletes pods, with one request for each', async () => {
    const { simulation, sets, active, scale, writes } = await start();
    await using _ = simulation;
    await sets.create(replicaSet(3));
    await simulation.settle();
    const { 'update replicasets/status': updates = 0, ...rest } = writes();
    assert.deepEqual(rest, { 'create pods': 3 });
    assert.ok(updates <= 5, `${updates} updates of the status`);
    const { status } = await sets.get('web');
    const counts = { replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
    assert.deepEqual(status, { ...counts, terminatingReplicas: 0, observedGeneration: 1 });

    const [victim = assert.fail('no pod')] = await active();
    await finishPod(simulation, victim, 1);
    await simulation.settle();
    assert.equal(writes()['create pods'], 1);

    await scale(1);
    await simulation.settle();
    assert.equal(writes()['delete pods'], 2);
    assert.equal((await active()).length, 1);

    await simulation.advance(24 * 3_600_000);
    assert.deepEqual(writes(), {});
    assert.deepEqual(simulation.reports, []);
  });

  it('adopts pods, and releases those that it no longer selects', async () => {
    const { simulation, sets, pods, active, writes } = await start();
    await using _ = simulation;
    await pods.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'mine', labels: { app: 'web' } },
      spec: template.spec,
    });
    await sets.create(replicaSet(1));
    await simulation.settle();
    assert.deepEqual(
      (await active()).map(({ metadata }) => metadata.name),
      ['mine'],
    );
    assert.equal(writes()['create pods'], undefined);

    await pods.patch('mine', { type: 'merge', body: { metadata: { labels: { app: 'other' } } } });
    await simulation.settle();
    assert.equal(controllerOf(await pods.get('mine')), undefined);
    const { 'patch pods': patches, 'create pods': created } = writes();
    assert.deepEqual([patches, created], [1, 1]);
  });

  it('makes pods available after minReadySeconds, without a change of theirs', async () => {
    const { simulation, sets } = await start();
    await using _ = simulation;
    const { spec, ...set } = replicaSet(1);
    await sets.create({ ...set, spec: { ...spec, selector: { matchLabels: { app: 'web' } }, minReadySeconds: 30 } });
    await simulation.advance(20_000);
    const available = async () => (await sets.get('web')).status?.availableReplicas ?? 0;
    assert.equal(await available(), 0);
    await simulation.advance(20_000);
    assert.equal(await available(), 1);
  });

  it('reports pods that the server refuses, once in its status', async () => {
    const { simulation, sets, writes } = await start();
    await using _ = simulation;
    const limits = [{ type: 'Container', max: { cpu: '100m' } }];
    const metadata = { name: 'small', namespace: 'default' };
    await simulation.client
      .resource(LimitRange)
      .create({ apiVersion: 'v1', kind: 'LimitRange', metadata, spec: { limits } });
    const containers = [{ name: 'main', image: 'image', resources: { limits: { cpu: '1' } } }];
    const { spec: _spec, ...set } = replicaSet(2);
    const selector = { matchLabels: { app: 'web' } };
    await sets.create({
      ...set,
      spec: { replicas: 2, selector, template: { ...template, spec: { ...template.spec, containers } } },
    });
    await simulation.advance(5000);
    const [condition] = (await sets.get('web')).status?.conditions ?? [];
    assert.deepEqual([condition?.type, condition?.reason], ['ReplicaFailure', 'FailedCreate']);
    assert.match(condition?.message ?? '', /maximum cpu usage per Container is 100m, but limit is 1/);
    assert.equal(writes()['update replicasets/status'], 1);
  });

  it('runs ReplicationControllers too', async () => {
    const { simulation, active } = await start();
    await using _ = simulation;
    const controllers = simulation.client.resource(ReplicationController).namespace('default');
    const metadata = { name: 'web', namespace: 'default' };
    await controllers.create({
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata,
      spec: { replicas: 2, template },
    });
    await simulation.settle();
    assert.equal((await active()).length, 2);
    const { status } = await controllers.get('web');
    const counts = { replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
    assert.deepEqual(status, { ...counts, observedGeneration: 1 });
  });
});

describe('the ReplicaSet loop never has more pods than wanted', () => {
  for (const [what, faults] of [
    ['with caches that are 5 s stale', { watchDelay: 5000 }],
    ['when it restarts after each write', { restartAfterWrites: true }],
    ['when it restarts after each write, with stale caches', { restartAfterWrites: true, watchDelay: 2000 }],
    ['when answers are lost', { lostAnswers: 0.3, watchDelay: 2000 }],
    ['with conflicts and failures', { conflicts: 0.3, failedWrites: 0.3, watchDelay: 300 }],
    ['when watches break and expire', { brokenWatches: 0.3, expiredWatches: 0.3, watchDelay: 500 }],
  ] as const) {
    it(what, async () => {
      const scenario = fc.record({
        seed: fc.integer({ min: 1, max: 1e6 }),
        sizes: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 4 }),
      });
      await fc.assert(
        fc.asyncProperty(scenario, (given) => play(given, faults)),
        randomRuns(1),
      );
    });
  }
});

async function play(
  { seed, sizes }: { readonly seed: number; readonly sizes: readonly number[] },
  faults: SimulationFaults,
): Promise<void> {
  const limit = Math.max(0, ...sizes);
  const { simulation, sets, active, scale, writes } = await start({
    seed,
    faults,
    check: async (client) => {
      const pods = (await client.resource(Pod).namespace('default').list()).items.filter(isPodActive);
      assert.ok(pods.length <= limit, `${pods.length} pods, and at most ${limit} are wanted`);
    },
  });
  await using _ = simulation;
  await sets.create(replicaSet(sizes[0] ?? 0));
  for (const [index, size] of sizes.slice(1).entries()) {
    await simulation.advance(index % 2 === 0 ? 1500 : 20_000);
    await scale(size);
  }
  await simulation.settle();
  simulation.faults = {};
  await simulation.settle({ quiet: 400_000 });
  const wanted = sizes.at(-1) ?? 0;
  const { status } = await sets.get('web');
  assert.deepEqual([(await active()).length, status?.replicas, status?.readyReplicas ?? 0], [wanted, wanted, wanted]);
  writes();
  await simulation.advance(3_600_000);
  assert.deepEqual(writes(), {});
}
