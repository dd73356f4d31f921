import { formatTime } from '@binnacle/apimachinery/time';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Event, Pod } from '@binnacle/client/kinds/core/v1';
import { type DeviceTaint, ResourceClaim, ResourceSlice } from '@binnacle/client/kinds/resource/v1';
import * as fc from 'fast-check';
import { randomRuns, runPod, Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'device-taint-eviction-controller,serviceaccount-controller';
const REASON = 'DeletionByDeviceTaintManager';

interface Scene {
  readonly simulation: Simulation;
  /** Publishes the only device of the pool, with a taint or without. */
  readonly publish: (slice: string, generation: number, isTainted: boolean) => Promise<void>;
  /** Of the pods: those that are being deleted, with the reason of their DisruptionTarget. */
  readonly evicted: () => Promise<Record<string, string | undefined>>;
  readonly messages: () => Promise<string[]>;
}

/** A device, and running pods whose claims tolerate its taint: not at all, for 10 s, always. */
async function start(
  faults: SimulationFaults = {},
  check?: (write: { readonly name?: string }) => void,
): Promise<Scene> {
  const simulation = await Simulation.start({
    controllers,
    ...(check === undefined ? {} : { check: (_, write) => check(write) }),
  });
  const { client } = simulation;
  const pods = client.resource(Pod).namespace('default');
  const slices = client.resource(ResourceSlice);
  await simulation.advance(1000);
  await simulation.nodes.create('n');
  for (const [name, tolerations] of [
    ['never', []],
    ['some', [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }]],
    ['always', [{ key: 'a', operator: 'Exists', effect: 'NoExecute' }]],
  ] as const) {
    const resourceClaims = [{ name: 'gpu', resourceClaimName: name }];
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'img' }], resourceClaims };
    const pod = await pods.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
    await runPod(simulation, pod);
    await reserve(simulation, pod, tolerations);
  }
  await simulation.advance(10_000);
  simulation.log.clear();
  simulation.faults = faults;
  return {
    simulation,
    publish: async (name, generation, isTainted) => {
      const timeAdded = formatTime(simulation.clock.now());
      const taints: DeviceTaint[] = [{ key: 'a', effect: 'NoExecute', timeAdded }];
      const pool = { name: 'n', generation, resourceSliceCount: 1 };
      const spec = {
        driver: 'd.example',
        pool,
        allNodes: true,
        devices: [{ name: 'x', ...(isTainted ? { taints } : {}) }],
      };
      const known = (await slices.list()).items.find(({ metadata }) => metadata.name === name);
      if (known !== undefined) await slices.update({ ...known, spec });
      else await slices.create({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name }, spec });
    },
    evicted: async () => {
      const gone = (await pods.list()).items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
      const target = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason;
      return Object.fromEntries(gone.map((pod) => [pod.metadata.name ?? '', target(pod)] as const));
    },
    messages: async () =>
      (await client.resource(Event).list()).items
        .map(({ involvedObject, message = '' }) => `${involvedObject.name}: ${message}`)
        .toSorted(),
  };
}

type Tolerations = NonNullable<
  NonNullable<NonNullable<NonNullable<ResourceClaim['status']>['allocation']>['devices']>['results']
>[number]['tolerations'];

/** As the scheduler: allocates the device to a claim of the pod's name, and reserves it. */
async function reserve({ client }: Simulation, { metadata }: Pod, tolerations: Tolerations = []): Promise<void> {
  const { name = '', uid = '' } = metadata;
  const claims = client.resource(ResourceClaim).namespace('default');
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu', tolerations } }];
  const spec = { devices: { requests } };
  const claim = await claims.create({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name },
    spec,
  });
  const results = [{ request: 'r', driver: 'd.example', pool: 'n', device: 'x', tolerations }];
  const status = { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name, uid }] };
  await claims.status.update({ ...claim, status });
}

describe('the loop of taints of devices', () => {
  it('evicts pods when their time is over, by two requests and an event each', async () => {
    const { simulation, publish, evicted, messages } = await start();
    await using _ = simulation;
    await publish('s', 1, true);
    await simulation.advance(9000);
    assert.deepEqual(await evicted(), { never: REASON });
    await simulation.advance(2000);
    assert.deepEqual(await evicted(), { never: REASON, some: REASON });
    await simulation.advance(600_000);
    assert.deepEqual(simulation.log.counts(), { 'patch pods/status': 2, 'delete pods': 2, 'create events': 2 });
    assert.deepEqual(await messages(), ['never: Marking for deletion', 'some: Marking for deletion']);
  });

  it('cancels an eviction when a newer generation of the pool lacks the taint', async () => {
    const { simulation, publish, evicted, messages } = await start();
    await using _ = simulation;
    await publish('s', 1, true);
    await simulation.advance(5000);
    await publish('t', 2, false);
    await simulation.advance(60_000);
    assert.deepEqual(await evicted(), { never: REASON });
    assert.deepEqual(await messages(), ['never: Marking for deletion', 'some: Cancelling deletion']);
    // The taint of the older slice counts again, since long ago.
    await simulation.client.resource(ResourceSlice).delete('t');
    await simulation.advance(1000);
    assert.deepEqual(await evicted(), { never: REASON, some: REASON });
  });

  it('evicts what it should after any history', async () => {
    const history = fc.record({
      steps: fc.array(
        fc.record({ slice: fc.constantFrom('s', 't'), isTainted: fc.boolean(), seconds: fc.constantFrom(1, 6, 30) }),
        { minLength: 1, maxLength: 5 },
      ),
      faults: fc.constantFrom<SimulationFaults>(
        { watchDelay: 5000, brokenWatches: 0.2 },
        { restartAfterWrites: true },
        { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.3, watchDelay: 1000 },
      ),
    });
    const keepsAlways = ({ name }: { readonly name?: string }) => assert.notEqual(name, 'always');
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, faults }) => {
        const { simulation, publish, evicted } = await start(faults, keepsAlways);
        await using _ = simulation;
        let generation = 0;
        for (const { slice, isTainted, seconds } of steps) {
          await publish(slice, ++generation, isTainted);
          await simulation.advance(seconds * 1000);
        }
        simulation.faults = {};
        await simulation.advance(60_000);
        const names = Object.keys(await evicted());
        if (steps.at(-1)?.isTainted === true) assert.deepEqual(names, ['never', 'some']);
        else assert.ok(steps.some(({ isTainted }) => isTainted) || names.length === 0);
        simulation.log.clear();
        await simulation.advance(600_000);
        assert.deepEqual(simulation.log.counts(), {});
      }),
      randomRuns(2),
    );
  });

  for (const [what, faults] of [
    ['with caches that are 5 s stale', { watchDelay: 5000 }],
    ['when it restarts after each write', { restartAfterWrites: true }],
  ] as const) {
    it(`evicts no other pods ${what}`, async () => {
      const { simulation, publish, evicted } = await start(faults);
      await using _ = simulation;
      await publish('s', 1, true);
      await simulation.advance(120_000);
      assert.deepEqual(await evicted(), { never: REASON, some: REASON });
    });
  }
});
