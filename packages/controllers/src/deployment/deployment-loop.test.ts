import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deployment, ReplicaSet } from '@binnacle/client/kinds/apps/v1';
import { Pod } from '@binnacle/client/kinds/core/v1';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { FakeObjects, type ScriptedAnswer, settle } from '@binnacle/client/testing';
import * as fc from 'fast-check';
import { isPodActive, isPodReady } from '../common/index.js';
import { runLoop, Simulation, type SimulationFaults, type SimulationOptions, randomRuns } from '../testing/index.js';
import { createDeploymentLoop } from './deployment-loop.js';
import { deployment, replicaSet, type SetTraits, type Traits } from './deployment.testing.js';
import { maxSurge, maxUnavailable } from './limits.js';
import { createdSet } from './new-set.js';
import { replicasOf, sumOf } from './sets.js';

const CONTROLLERS = 'deployment-controller,replicaset-controller,serviceaccount-controller';

async function start(traits: Traits, options: Partial<SimulationOptions> = {}) {
  const simulation = await Simulation.start({ controllers: CONTROLLERS, nodes: 2, ...options });
  const deployments = simulation.client.resource(Deployment).namespace('default');
  const { metadata, status: _, ...rest } = deployment(traits);
  const { name = '', annotations = {} } = metadata;
  await deployments.create({ ...rest, metadata: { name, namespace: 'default', annotations } });
  const sets = simulation.client.resource(ReplicaSet).namespace('default');
  const patch = (spec: object) => deployments.patch('web', { type: 'strategic', body: { spec: { ...spec } } });
  return {
    simulation,
    deployments,
    patch,
    sets: async () =>
      (await sets.list()).items.map(({ spec }) => spec?.replicas ?? 1).toSorted((one, other) => other - one),
    roll: (image: string) => patch({ template: { spec: { containers: [{ name: 'main', image }] } } }),
    writes: () => {
      const counts = simulation.log.counts(
        simulation.log.writes.filter(({ resource }) => !['events', 'serviceaccounts'].includes(resource)),
      );
      simulation.log.clear();
      return counts;
    },
  };
}

describe('the Deployment loop', () => {
  it('rolls out one set after another, and then writes nothing', async () => {
    const { simulation, deployments, sets, roll, writes } = await start({ replicas: 3, surge: 1, unavailable: 0 });
    await using _ = simulation;
    await simulation.settle();
    const {
      'update deployments/status': statuses = 0,
      'create replicasets': created,
      'update replicasets': updated,
    } = writes();
    assert.deepEqual([created, updated], [1, undefined]);
    assert.ok(statuses <= 6, `${statuses} updates of the status`);
    const { status, metadata } = await deployments.get('web');
    const counts = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3, terminatingReplicas: 0 };
    const { conditions = [], ...rest } = status ?? {};
    assert.deepEqual(rest, { ...counts, observedGeneration: 1 });
    assert.deepEqual(
      conditions.map(({ reason }) => reason),
      ['MinimumReplicasAvailable', 'NewReplicaSetAvailable'],
    );
    assert.equal(metadata.annotations?.['deployment.kubernetes.io/revision'], '1');

    await roll('next');
    await simulation.settle();
    assert.deepEqual(await sets(), [3, 0]);
    // The new set grows by one, and the old one shrinks by one, three times; the first of the new ones comes with the set.
    assert.deepEqual([writes()['update replicasets']], [5]);
    await simulation.advance(24 * 3_600_000);
    assert.deepEqual(writes(), {});
    assert.deepEqual(simulation.reports, []);
  });

  it('waits for all old pods before it recreates them', async () => {
    const { simulation, sets, roll } = await start(
      { replicas: 2, strategy: 'Recreate' },
      { check: (client) => assertOneTemplate(client), behaviour: { terminateAfter: 30_000 } },
    );
    await using _ = simulation;
    await simulation.settle();
    await roll('next');
    await simulation.settle();
    assert.deepEqual(await sets(), [2, 0]);
  });

  it('finds another name if that of its set is taken', async () => {
    const { simulation, deployments, patch, sets } = await start({ replicas: 1, paused: true });
    await using _ = simulation;
    const { metadata, spec, ...rest } = createdSet(await deployments.get('web'), [], 1n);
    const labels = { app: 'other' };
    const { name = '' } = metadata;
    await simulation.client.resource(ReplicaSet).create({
      ...rest,
      metadata: { name, namespace: 'default' },
      spec: { replicas: 0, selector: { matchLabels: labels }, template: { ...spec?.template, metadata: { labels } } },
    });
    await patch({ paused: false });
    await simulation.settle();
    assert.equal((await deployments.get('web')).status?.collisionCount, 1);
    assert.deepEqual(await sets(), [1, 0]);
  });

  it('reports that a rollout makes no progress, when its deadline has passed', async () => {
    const { simulation, deployments, patch, writes } = await start({ replicas: 1, deadline: 60 });
    await using _ = simulation;
    await simulation.settle();
    await patch({ template: { spec: { nodeSelector: { no: 'where' } } } });
    const reason = async () =>
      (await deployments.get('web')).status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
    await simulation.advance(55_000);
    assert.equal(await reason(), 'ReplicaSetUpdated');
    await simulation.advance(10_000);
    assert.equal(await reason(), 'ProgressDeadlineExceeded');
    writes();
    await simulation.advance(3_600_000);
    assert.deepEqual(writes(), {});
  });
});

/** What the loop first writes for a Deployment, and its events. `refusal`: the answer to the creation of a set. */
async function firstWrite(given: Deployment, sets: readonly SetTraits[], refusal?: ScriptedAnswer) {
  const writes: (readonly [request: string, body: Deployment])[] = [];
  const objects: FakeObjects = new FakeObjects([Deployment, ReplicaSet, Pod], ({ method, path, body }) => {
    const object = JSON.parse(String(body)) as Deployment;
    writes.push([`${method} ${path.replace(/.*\/default\//, '')}`, object]);
    if (method === 'POST' && refusal !== undefined) return refusal;
    if (method === 'PUT' && path.includes('/deployments/')) objects.set(Deployment, object);
    return { object };
  });
  objects.set(Deployment, given);
  for (const set of sets) objects.set(ReplicaSet, replicaSet(set));
  const loop = runLoop(createDeploymentLoop, objects.transport);
  for (let turns = 0; turns < 20; turns++) await settle();
  await loop.end();
  const { lines } = loop.events;
  return { requests: writes.map(([request]) => request), bodies: writes.map(([, body]) => body), lines, ...loop };
}

describe('a write of the Deployment loop', () => {
  it('does not manage a Deployment that selects all pods', async () => {
    const { spec, ...rest } = deployment();
    assert.ok(spec);
    const { requests, bodies, lines } = await firstWrite({ ...rest, spec: { ...spec, selector: {} } }, []);
    assert.deepEqual(requests, ['PUT deployments/web/status']);
    assert.equal(bodies[0]?.status?.observedGeneration, 2);
    assert.ok(lines.length > 0);
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    for (const line of lines) assert.equal(line, `Warning SelectingAll Deployment default/web: ${message}`);
  });

  it('reports a set that the server refuses', async () => {
    const status = { kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', message: 'quota is full' };
    const { requests, bodies, lines, reports } = await firstWrite(deployment(), [], { status: 403, object: status });
    const name = createdSet(deployment(), [], 1n).metadata.name ?? '';
    const message = `Failed to create new replica set "${name}": quota is full`;
    assert.deepEqual(requests.slice(0, 2), ['POST replicasets', 'PUT deployments/web/status']);
    const [condition] = bodies[1]?.status?.conditions ?? [];
    const { type, reason, message: told } = condition ?? {};
    assert.deepEqual(
      [type, condition?.status, reason, told],
      ['Progressing', 'False', 'ReplicaSetCreateError', message],
    );
    assert.equal(lines[0], `Warning ReplicaSetCreateError Deployment default/web: ${message}`);
    assert.ok(reports.length > 0);
  });

  it('is silent about a namespace that is being deleted', async () => {
    const details = { causes: [{ reason: 'NamespaceTerminating' }] };
    const status = { kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', details };
    const { requests, lines, reports } = await firstWrite(deployment(), [], { status: 403, object: status });
    assert.deepEqual([requests, lines, reports], [['POST replicasets'], [], []]);
  });

  it('rolls back to an earlier revision', async () => {
    const annotations = { 'deprecated.deployment.rollback.to': '1', 'deployment.kubernetes.io/revision': '2' };
    const sets = [
      { image: 'v1', revision: 1, replicas: 0 },
      { image: 'v2', revision: 2, replicas: 10 },
    ];
    const { requests, bodies, lines } = await firstWrite(deployment({ annotations }), sets);
    assert.equal(requests[0], 'PUT deployments/web');
    assert.equal(bodies[0]?.spec?.template.spec?.containers[0]?.image, 'v1');
    assert.deepEqual(bodies[0]?.metadata.annotations, { 'deployment.kubernetes.io/revision': '2' });
    assert.equal(
      lines[0],
      'Normal DeploymentRollback Deployment default/web: Rolled back deployment "web" to revision 1',
    );
  });
});

/** The pods that run are of one set. */
async function assertOneTemplate(client: DynamicClient): Promise<void> {
  const { items } = await client.resource(Pod).namespace('default').list();
  const hashes = new Set(items.map(({ metadata }) => metadata.labels?.['pod-template-hash']));
  assert.ok(hashes.size <= 1, `pods of ${[...hashes].join(' and ')} at one time`);
}

describe('a rollout stays within its limits', () => {
  for (const [what, faults] of [
    ['without faults', {}],
    ['with caches that are 5 s stale', { watchDelay: 5000 }],
    ['when the loops restart after each write', { restartAfterWrites: true }],
    ['when the loops restart after each write, with stale caches', { restartAfterWrites: true, watchDelay: 2000 }],
    ['when answers are lost', { lostAnswers: 0.2, watchDelay: 1000 }],
    ['with conflicts and failures', { conflicts: 0.2, failedWrites: 0.2, watchDelay: 300 }],
    ['when watches break and expire', { brokenWatches: 0.2, expiredWatches: 0.2, watchDelay: 500 }],
  ] as const) {
    it(what, async () => {
      const scenarios = fc.record({
        seed: fc.integer({ min: 1, max: 1e6 }),
        replicas: fc.integer({ min: 1, max: 5 }),
        surge: fc.constantFrom(0, 1, 2, '25%', '100%'),
        unavailable: fc.constantFrom(0, 1, '25%', '50%'),
        rollouts: fc.array(fc.constantFrom(200, 3000, 30_000), { minLength: 1, maxLength: 3 }),
      });
      // Validation refuses two limits of 0.
      const scenario = scenarios.filter(({ surge, unavailable }) => surge !== 0 || unavailable !== 0);
      await fc.assert(
        fc.asyncProperty(scenario, (given) => play(given, faults)),
        randomRuns(1),
      );
    });
  }
});

interface Scenario extends Required<Pick<Traits, 'replicas' | 'surge' | 'unavailable'>> {
  readonly seed: number;
  /** Milliseconds before each rollout. */
  readonly rollouts: readonly number[];
}

async function play({ seed, rollouts, ...traits }: Scenario, faults: SimulationFaults): Promise<void> {
  const limits = deployment(traits);
  const most = replicasOf(limits) + maxSurge(limits);
  const least = replicasOf(limits) - maxUnavailable(limits);
  let isUp = false;
  const { simulation, deployments, sets, roll, writes } = await start(traits, {
    seed,
    check: async (client) => {
      // A set may still have pods that it is about to delete, so upstream limits what the sets want.
      const wanted = sumOf((await client.resource(ReplicaSet).namespace('default').list()).items, replicasOf);
      assert.ok(wanted <= most, `the sets want ${wanted} pods, and at most ${most} are allowed`);
      const { items } = await client.resource(Pod).namespace('default').list();
      const ready = items.filter((pod) => isPodActive(pod) && isPodReady(pod)).length;
      assert.ok(!isUp || ready >= least, `${ready} pods are ready, and at least ${least} must be`);
    },
  });
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
  const { status } = await deployments.get('web');
  assert.deepEqual(
    [status?.updatedReplicas, status?.availableReplicas, status?.replicas],
    Array(3).fill(traits.replicas),
  );
  assert.deepEqual(
    (await sets()).slice(1).filter((size) => size > 0),
    [],
  );
  writes();
  await simulation.advance(3_600_000);
  assert.deepEqual(writes(), {});
}
