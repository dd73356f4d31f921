import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { ControllerRevision, StatefulSet } from '@binnacle/client/kinds/apps/v1';
import { PersistentVolumeClaim, Pod } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { isPodReady } from '../common/index.js';
import { Simulation, type SimulationFaults, type SimulationOptions, randomRuns } from '../testing/index.js';
import { statefulSet, template, volumeClaimTemplates } from './statefulset.testing.js';

type Spec = Parameters<typeof statefulSet>[0];

/** Pods need the account that the second one creates. */
const CONTROLLERS = 'statefulset-controller,serviceaccount-controller';

async function start(spec: Spec, options: Partial<SimulationOptions> = {}) {
  const simulation = await Simulation.start({ controllers: CONTROLLERS, nodes: 2, ...options });
  await simulation.settle();
  simulation.log.clear();
  const sets = simulation.client.resource(StatefulSet).namespace('default');
  const { metadata: _, status: _status, ...set } = statefulSet(spec);
  await sets.create({ ...set, metadata: { name: 'db', namespace: 'default' } });
  const pods = simulation.client.resource(Pod).namespace('default');
  return {
    simulation,
    sets,
    pods: async () => (await pods.list()).items,
    patch: (body: object) => sets.patch('db', { type: 'strategic', body: { spec: { ...body } } }),
    roll: (image: string) =>
      sets.patch('db', { type: 'strategic', body: { spec: { template: { ...template(image) } } } }),
    writes: () => {
      const counts = simulation.log.counts(simulation.log.writes.filter(({ resource }) => resource !== 'events'));
      simulation.log.clear();
      return counts;
    },
  };
}

const namesOf = (objects: readonly { readonly metadata: { readonly name?: string } }[]) =>
  objects.map(({ metadata }) => metadata.name ?? '').toSorted((one, other) => one.localeCompare(other));

describe('the StatefulSet loop', () => {
  it('creates one pod after another, and then writes nothing', async () => {
    const { simulation, sets, pods, writes } = await start({});
    await using _ = simulation;
    await simulation.settle();
    assert.deepEqual(namesOf(await pods()), ['db-0', 'db-1', 'db-2']);
    const { 'update statefulsets/status': statuses = 0, ...others } = writes();
    assert.deepEqual(others, { 'create controllerrevisions': 1, 'create pods': 3 });
    assert.ok(statuses <= 8, `${statuses} updates of the status`);
    assert.equal((await sets.get('db')).status?.currentReplicas, 3);
    await simulation.advance(24 * 3_600_000);
    assert.deepEqual(writes(), {});
    assert.deepEqual(simulation.reports, []);
  });

  it('rolls back to the revision of that state', async () => {
    const { simulation, sets, roll, writes } = await start({ replicas: 2 });
    await using _ = simulation;
    await simulation.settle();
    const first = (await sets.get('db')).status?.currentRevision;
    await roll('next');
    await simulation.settle();
    writes();
    await roll('new');
    await simulation.settle();
    const { 'update controllerrevisions': renumbered, 'create controllerrevisions': created } = writes();
    assert.deepEqual([renumbered, created], [1, undefined]);
    assert.equal((await sets.get('db')).status?.currentRevision, first);
    const { items } = await simulation.client.resource(ControllerRevision).list();
    assert.deepEqual(new Set(items.map(({ revision }) => revision)), new Set([2, 3]));
  });

  it('deletes the claims of pods that scaling deletes', async () => {
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Retain', whenScaled: 'Delete' };
    const spec = {
      volumeClaimTemplates,
      persistentVolumeClaimRetentionPolicy,
      podManagementPolicy: 'Parallel',
    } as const;
    const { simulation, patch, pods } = await start(spec, {
      controllers: `${CONTROLLERS},garbage-collector-controller`,
    });
    await using _ = simulation;
    await simulation.settle();
    const claims = async () => namesOf((await simulation.client.resource(PersistentVolumeClaim).list()).items);
    assert.deepEqual(await claims(), ['data-db-0', 'data-db-1', 'data-db-2']);
    await patch({ replicas: 1 });
    await simulation.settle();
    assert.deepEqual(namesOf(await pods()), ['db-0']);
    const owners = (await simulation.client.resource(PersistentVolumeClaim).list()).items.filter(
      ({ metadata }) => metadata.name !== 'data-db-0',
    );
    for (const { metadata } of owners) assert.ok(metadata.deletionTimestamp, `${metadata.name ?? ''} stays`);
  });
});

describe('a StatefulSet stays in order', () => {
  for (const [what, faults] of [
    ['without faults', {}],
    ['with caches that are 5 s stale', { watchDelay: 5000 }],
    ['when the loop restarts after each write', { restartAfterWrites: true }],
    ['when the loop restarts after each write, with stale caches', { restartAfterWrites: true, watchDelay: 2000 }],
    ['when answers are lost', { lostAnswers: 0.2, watchDelay: 1000 }],
    ['with conflicts and failures', { conflicts: 0.2, failedWrites: 0.2, watchDelay: 300 }],
    ['when watches break and expire', { brokenWatches: 0.2, expiredWatches: 0.2, watchDelay: 500 }],
  ] as const) {
    it(what, async () => {
      const scenario = fc.record({
        seed: fc.integer({ min: 1, max: 1e6 }),
        replicas: fc.integer({ min: 1, max: 4 }),
        podManagementPolicy: fc.constantFrom('OrderedReady', 'Parallel'),
        partition: fc.constantFrom(0, 0, 1),
        rollouts: fc.array(fc.constantFrom(200, 3000, 30_000), { minLength: 1, maxLength: 3 }),
      });
      await fc.assert(
        fc.asyncProperty(scenario, (given) => play(given, faults)),
        randomRuns(1),
      );
    });
  }
});

interface Scenario {
  readonly seed: number;
  readonly replicas: number;
  readonly podManagementPolicy: 'OrderedReady' | 'Parallel';
  readonly partition: number;
  /** Milliseconds before each rollout. */
  readonly rollouts: readonly number[];
}

async function play(given: Scenario, faults: SimulationFaults): Promise<void> {
  const { seed, replicas, podManagementPolicy, partition, rollouts } = given;
  let isUp = false;
  // A parallel set replaces its highest old pod whether or not a lower one is available, so only its first rollout is gentle.
  const isGentle = podManagementPolicy === 'OrderedReady' || rollouts.length === 1;
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition } } as const;
  const { simulation, sets, pods, roll, writes } = await start(
    { replicas, podManagementPolicy, updateStrategy },
    { seed, check: (client) => assertOneAway(client, isUp && isGentle ? replicas - 1 : 0, replicas) },
  );
  await using _ = simulation;
  await simulation.settle();
  isUp = true;
  simulation.faults = faults;
  for (const [index, wait] of rollouts.entries()) {
    await simulation.advance(wait);
    await roll(`image-${index}`);
  }
  await simulation.settle();
  simulation.faults = {};
  await simulation.settle({ quiet: 400_000 });
  const { status } = await sets.get('db');
  const updated = Math.max(0, replicas - partition);
  assert.deepEqual(
    [status?.availableReplicas, status?.replicas, status?.updatedReplicas ?? 0],
    [replicas, replicas, updated],
  );
  const images = (await pods()).filter(({ spec }) => spec?.containers[0]?.image === `image-${rollouts.length - 1}`);
  assert.equal(images.length, updated);
  writes();
  await simulation.advance(3_600_000);
  assert.deepEqual(writes(), {});
}

/** A rollout takes one pod away at a time. */
async function assertOneAway(client: DynamicClient, least: number, most: number): Promise<void> {
  const { items } = await client.resource(Pod).namespace('default').list();
  assert.ok(items.length <= most, `${items.length} pods, and at most ${most} are wanted`);
  const ready = items.filter((pod) => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined).length;
  assert.ok(ready >= least, `${ready} pods are ready, and at least ${least} must be`);
}
