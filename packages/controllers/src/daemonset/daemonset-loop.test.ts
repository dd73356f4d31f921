import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { ControllerRevision, DaemonSet } from '@binnacle/client/kinds/apps/v1';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { FakeObjects, settle } from '@binnacle/client/testing';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import * as fc from 'fast-check';
import { controllerReference, isPodReady } from '../common/index.js';
import { runLoop, Simulation, type SimulationFaults, type SimulationOptions, randomRuns } from '../testing/index.js';
import { isDeleted, targetNode } from './daemon-pods.js';
import { createDaemonSetLoop } from './daemonset-loop.js';
import { daemonSet, pod, rolling, template } from './daemonset.testing.js';
import { newRevision } from './history.js';

/** Pods need the account that the second one creates. */
const CONTROLLERS = 'daemonset-controller,serviceaccount-controller';
const NODES = 3;

async function start(spec: Parameters<typeof daemonSet>[0], options: Partial<SimulationOptions> = {}) {
  const simulation = await Simulation.start({ controllers: CONTROLLERS, nodes: NODES, ...options });
  await simulation.settle();
  simulation.log.clear();
  const sets = simulation.client.resource(DaemonSet).namespace('default');
  const { metadata: _, ...set } = daemonSet(spec);
  await sets.create({ ...set, metadata: { name: 'agent', namespace: 'default' } });
  return {
    simulation,
    sets,
    roll: (image: string) =>
      sets.patch('agent', { type: 'strategic', body: { spec: { template: { ...template(image) } } } }),
    writes: () => {
      const counts = simulation.log.counts(simulation.log.writes.filter(({ resource }) => resource !== 'events'));
      simulation.log.clear();
      return counts;
    },
  };
}

describe('the DaemonSet loop', () => {
  it('creates a pod on each node, and then writes nothing', async () => {
    const { simulation, sets, writes } = await start({});
    await using _ = simulation;
    await simulation.settle();
    const { 'update daemonsets/status': statuses = 0, ...others } = writes();
    assert.deepEqual(others, { 'create controllerrevisions': 1, 'create pods': NODES });
    assert.ok(statuses <= 6, `${statuses} updates of the status`);
    assert.equal((await sets.get('agent')).status?.numberAvailable, NODES);
    await simulation.nodes.create('node-new');
    await simulation.settle();
    assert.equal((await sets.get('agent')).status?.numberAvailable, NODES + 1);
    writes();
    await simulation.advance(24 * 3_600_000);
    assert.deepEqual(writes(), {});
    assert.deepEqual(simulation.reports, []);
  });

  it('leaves a node that gets a taint', async () => {
    const { simulation, sets } = await start({});
    await using _ = simulation;
    await simulation.settle();
    const body = { spec: { taints: [{ key: 'broken', effect: 'NoExecute' }] } };
    await simulation.client.resource(Node).patch('node-0', { type: 'merge', body });
    await simulation.settle();
    const { desiredNumberScheduled, numberMisscheduled } = (await sets.get('agent')).status ?? {};
    assert.deepEqual([desiredNumberScheduled, numberMisscheduled], [NODES - 1, 0]);
  });

  it('rolls back to the revision of that template', async () => {
    const { simulation, roll, writes } = await start({});
    await using _ = simulation;
    await simulation.settle();
    await roll('next');
    await simulation.settle();
    writes();
    await roll('new');
    await simulation.settle();
    const { 'update controllerrevisions': renumbered, 'create controllerrevisions': created } = writes();
    assert.deepEqual([renumbered, created], [1, undefined]);
    const { items } = await simulation.client.resource(ControllerRevision).list();
    assert.deepEqual(new Set(items.map(({ revision }) => revision)), new Set([2, 3]));
  });
});

/** What the loop writes for a set without nodes, in order. `taken`: the revision that has the name of the first new one. */
async function writesFor(
  set: DaemonSet,
  present: { readonly revisions?: readonly ControllerRevision[]; readonly pods?: readonly Pod[] },
  taken?: ControllerRevision,
) {
  const writes: (readonly [request: string, body: DaemonSet])[] = [];
  const kinds: readonly ResourceType[] = [DaemonSet, ControllerRevision, Pod, Node];
  const objects: FakeObjects = new FakeObjects(kinds, ({ method, path, body }) => {
    if (method === 'GET') return { object: taken };
    const sent = JSON.parse(String(body)) as DaemonSet;
    const [plural, name = ''] = path.replace(/.*\/shop\//, '').split('/');
    writes.push([`${method} ${path.replace(/.*\/shop\//, '')}`, sent]);
    const resource = kinds.find((kind) => kind.plural === plural) ?? DaemonSet;
    if (method === 'DELETE') objects.delete(resource, { namespace: 'shop', name });
    if (method === 'PUT') return { object: objects.set<TypedObject>(resource, sent) };
    const isFirst = writes.length === 1;
    if (method !== 'POST' || taken === undefined || !isFirst) return { object: sent };
    return { status: 409, object: { kind: 'Status', status: 'Failure', code: 409, reason: 'AlreadyExists' } };
  });
  objects.set(DaemonSet, set);
  for (const revision of present.revisions ?? []) objects.set(ControllerRevision, revision);
  for (const each of present.pods ?? []) objects.set(Pod, each);
  const loop = runLoop(createDaemonSetLoop, objects.transport);
  for (let turns = 0; turns < 20; turns++) await settle();
  await loop.end();
  return { requests: writes.map(([request]) => request), bodies: writes.map(([, body]) => body), loop };
}

describe('the history of the DaemonSet loop', () => {
  const hashKey = 'controller-revision-hash';
  const revision = (name: string, number: number, hash: string, image = 'new'): ControllerRevision => {
    const { metadata, ...rest } = newRevision(daemonSet({ template: template(image) }), number);
    const labels = { app: 'agent', ...(hash === '' ? {} : { [hashKey]: hash }) };
    return { ...rest, metadata: { ...metadata, name, uid: `${name}-uid`, labels } };
  };

  it('neither begins for a set that selects all pods, nor for one that is being deleted', async () => {
    const all = await writesFor(daemonSet({ selector: {} }), {});
    assert.deepEqual(all.requests, []);
    const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
    assert.deepEqual(all.loop.events.lines, [`Warning SelectingAll DaemonSet shop/agent: ${message}`]);
    const deleted = await writesFor(daemonSet({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), {});
    assert.deepEqual([deleted.requests, deleted.loop.events.lines], [[], []]);
  });

  it('counts a collision if a revision of another template has the name', async () => {
    const { requests, bodies } = await writesFor(daemonSet(), {}, revision('agent-x', 1, 'x', 'other'));
    assert.deepEqual(requests.slice(0, 2), ['POST controllerrevisions', 'PUT daemonsets/agent/status']);
    assert.equal(bodies[1]?.status?.collisionCount, 1);
  });

  it('gives a revision without a hash its name as one', async () => {
    const { requests, bodies } = await writesFor(daemonSet(), { revisions: [revision('agent-bare', 1, '')] });
    assert.equal(requests[0], 'PUT controllerrevisions/agent-bare');
    assert.deepEqual(bodies[0]?.metadata.labels, { app: 'agent', [hashKey]: 'agent-bare' });
  });

  it('has one revision of a template, and its pods that hash', async () => {
    const revisions = [revision('agent-1', 1, 'one'), revision('agent-2', 2, 'two')];
    const { metadata, ...rest } = pod('a1');
    const labels = { app: 'agent', [hashKey]: 'one' };
    const own = { ...rest, metadata: { ...metadata, labels, ownerReferences: [controllerReference(daemonSet())] } };
    const { requests, bodies } = await writesFor(daemonSet(), { revisions, pods: [own] });
    assert.deepEqual(requests.slice(0, 2), ['PATCH pods/a1', 'DELETE controllerrevisions/agent-1']);
    assert.deepEqual(bodies[0], { metadata: { uid: 'a1-uid', labels: { [hashKey]: 'two' } } });
  });

  it('loses old revisions beyond its limit', async () => {
    const revisions = [revision('agent-1', 1, 'one', 'old'), revision('agent-2', 2, 'two')];
    const { requests } = await writesFor(daemonSet({ revisionHistoryLimit: 0 }), { revisions });
    assert.equal(requests[0], 'DELETE controllerrevisions/agent-1');
  });
});

describe('a rollout of a DaemonSet stays within its limits', () => {
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
        limits: fc.constantFrom([1, 0] as const, [2, 0] as const, [0, 1] as const, [0, '100%'] as const),
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
  /** `maxUnavailable` and `maxSurge`. */
  readonly limits: readonly [number, number | string];
  /** Milliseconds before each rollout. */
  readonly rollouts: readonly number[];
}

async function play({ seed, limits, rollouts }: Scenario, faults: SimulationFaults): Promise<void> {
  const [unavailable, surge] = limits;
  let isUp = false;
  const { simulation, sets, roll, writes } = await start(
    { updateStrategy: rolling(unavailable, surge) },
    { seed, check: (client) => assertLimits(client, isUp ? NODES - unavailable : 0, surge === 0 ? 1 : 2) },
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
  const { status } = await sets.get('agent');
  const { updatedNumberScheduled, numberAvailable } = status ?? {};
  assert.deepEqual([updatedNumberScheduled, numberAvailable], [NODES, NODES]);
  const { items } = await simulation.client.resource(Pod).namespace('default').list();
  assert.equal(items.length, NODES);
  writes();
  await simulation.advance(3_600_000);
  assert.deepEqual(writes(), {});
}

/** Enough nodes have a ready pod, and none has too many. */
async function assertLimits(client: DynamicClient, least: number, most: number): Promise<void> {
  const { items } = await client.resource(Pod).namespace('default').list();
  const present = items.filter((pod) => !isDeleted(pod));
  const nodes = new Set(present.filter(isPodReady).map(targetNode));
  assert.ok(nodes.size >= least, `${nodes.size} nodes have a ready pod, and at least ${least} must`);
  const crowded = present.filter(
    (pod) => present.filter((other) => targetNode(other) === targetNode(pod)).length > most,
  );
  assert.deepEqual(crowded, [], `more than ${most} pods on a node`);
}
