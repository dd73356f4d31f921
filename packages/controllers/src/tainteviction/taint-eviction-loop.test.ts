import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Event, Node, Pod, type Toleration } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { runPod, Simulation, type SimulationFaults, randomRuns } from '../testing/index.js';

const controllers = 'taint-eviction-controller,serviceaccount-controller';

interface Scene {
  readonly simulation: Simulation;
  readonly taint: (...keys: readonly string[]) => Promise<void>;
  /** Of the pods: those that are being deleted, with the reason of their DisruptionTarget. */
  readonly evicted: () => Promise<Record<string, string | undefined>>;
  /** The messages of all events. */
  readonly messages: () => Promise<string[]>;
}

/** A node, and running pods that tolerate the taint `a`: not at all, for 10 s, always. */
async function start(faults: SimulationFaults = {}): Promise<Scene> {
  const simulation = await Simulation.start({ controllers });
  const { client } = simulation;
  await simulation.advance(1000);
  await simulation.nodes.create('n');
  const pods = client.resource(Pod).namespace('default');
  const always: Toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute' };
  for (const [name, tolerations] of [
    ['never', []],
    ['some', [{ ...always, tolerationSeconds: 10 }]],
    ['always', [always]],
  ] as const) {
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'img' }], tolerations };
    await runPod(simulation, await pods.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }));
  }
  await simulation.advance(10_000);
  simulation.log.clear();
  simulation.faults = faults;
  return {
    simulation,
    taint: async (...keys) => {
      const taints = keys.map((key) => ({ key, effect: 'NoExecute' as const }));
      await client.resource(Node).patch('n', { type: 'merge', body: { spec: { taints } } });
    },
    evicted: async () => {
      const gone = (await pods.list()).items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
      const target = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason;
      return Object.fromEntries(gone.map((pod) => [pod.metadata.name ?? '', target(pod)] as const));
    },
    messages: async () => (await client.resource(Event).list()).items.map(({ message = '' }) => message).toSorted(),
  };
}

const REASON = 'DeletionByTaintManager';

describe('the loop of taints', () => {
  it('evicts pods when their time is over, by two requests and an event each', async () => {
    const { simulation, taint, evicted, messages } = await start();
    await using _ = simulation;
    await taint('a');
    await simulation.advance(9000);
    assert.deepEqual(await evicted(), { never: REASON });
    await simulation.advance(2000);
    assert.deepEqual(await evicted(), { never: REASON, some: REASON });
    await simulation.advance(600_000);
    assert.deepEqual(simulation.log.counts(), { 'patch pods/status': 2, 'delete pods': 2, 'create events': 2 });
    assert.deepEqual(await messages(), [
      'Marking for deletion Pod default/never',
      'Marking for deletion Pod default/some',
    ]);
  });

  it('cancels an eviction when the taint is gone in time, or the pod', async () => {
    const { simulation, taint, evicted, messages } = await start();
    await using _ = simulation;
    await taint('a');
    await simulation.advance(5000);
    await taint();
    await simulation.advance(60_000);
    assert.deepEqual(await evicted(), { never: REASON });
    await taint('a');
    await simulation.advance(5000);
    await simulation.client.resource(Pod).namespace('default').delete('some', { gracePeriodSeconds: 0 });
    await simulation.advance(60_000);
    assert.deepEqual(
      (await messages()).filter((message) => message.startsWith('Cancelling')),
      ['Cancelling deletion of Pod default/some'],
    );
  });

  it('leaves a pod alone that took the name of another', async () => {
    const { simulation, taint, evicted } = await start();
    await using _ = simulation;
    const pods = simulation.client.resource(Pod).namespace('default');
    await taint('a');
    await simulation.advance(5000);
    const { spec } = await pods.get('always');
    await pods.delete('some', { gracePeriodSeconds: 0 });
    await pods.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'some' },
      ...(spec === undefined ? {} : { spec }),
    });
    await simulation.advance(60_000);
    assert.deepEqual(await evicted(), { never: REASON });
  });

  it('evicts what it should after any history', async () => {
    const history = fc.record({
      steps: fc.array(fc.record({ isTainted: fc.boolean(), seconds: fc.constantFrom(1, 6, 30) }), { maxLength: 5 }),
      faults: fc.record({ watchDelay: fc.constantFrom(0, 3000), conflicts: fc.constantFrom(0, 0.3) }),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, faults }) => {
        const { simulation, taint, evicted } = await start(faults);
        await using _ = simulation;
        for (const { isTainted, seconds } of steps) {
          await (isTainted ? taint('a') : taint());
          await simulation.advance(seconds * 1000);
        }
        simulation.faults = {};
        await simulation.advance(60_000);
        const names = Object.keys(await evicted());
        const isLeft = steps.at(-1)?.isTainted === true;
        if (isLeft) assert.deepEqual(names, ['never', 'some']);
        else assert.ok(!names.includes('always') && (steps.some(({ isTainted }) => isTainted) || names.length === 0));
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
    ['when answers are lost', { lostAnswers: 0.3, watchDelay: 1000 }],
    ['with conflicts and failures', { conflicts: 0.3, failedWrites: 0.3, brokenWatches: 0.2 }],
  ] as const) {
    it(`evicts no other pods ${what}`, async () => {
      const { simulation, taint, evicted } = await start(faults);
      await using _ = simulation;
      await taint('a');
      await simulation.advance(120_000);
      assert.deepEqual(await evicted(), { never: REASON, some: REASON });
    });
  }
});
