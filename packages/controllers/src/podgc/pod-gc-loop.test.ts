import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { anyFaults, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'pod-garbage-collector-controller,serviceaccount-controller';
const FINALIZER = 'test.example/held';

async function createPod({ client }: Simulation, name: string, spec: Partial<Pod['spec']>, finalizers: string[] = []) {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, finalizers },
    spec: { containers: [{ name: 'c', image: 'img' }], ...spec },
  };
  await client.resource(Pod).namespace('default').create(pod);
}

const podsOf = async ({ client }: Simulation) =>
  (await client.resource(Pod).list()).items.map(({ metadata, status }) => `${metadata.name} ${status?.phase}`);

describe('the garbage collector of pods', () => {
  const FAULTS: readonly SimulationFaults[] = [
    {},
    { watchDelay: 5000 },
    { restartAfterWrites: true },
    { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.2 },
  ];
  for (const faults of FAULTS) {
    const withFaults = Object.keys(faults).join(' and ') || 'no faults';
    it(`collects pods of missing nodes and unscheduled ones, with ${withFaults}`, async () => {
      await using simulation = await Simulation.start({ controllers, nodes: 1 });
      await simulation.settle();
      simulation.faults = faults;
      await createPod(simulation, 'lost', { nodeName: 'no-such-node' });
      await createPod(simulation, 'kept', {});
      await createPod(simulation, 'held', { schedulerName: 'none' }, [FINALIZER]);
      await simulation.client.resource(Pod).namespace('default').delete('held');
      await simulation.advance(30_000);
      assert.ok((await podsOf(simulation)).includes('lost Pending'));
      simulation.log.clear();
      await simulation.advance(300_000);
      simulation.faults = {};
      await simulation.advance(120_000);
      assert.deepEqual(await podsOf(simulation), ['held Failed', 'kept Running']);
    });
  }

  it('sends three requests for an orphan, and none when idle', async () => {
    await using simulation = await Simulation.start({ controllers, nodes: 1 });
    await simulation.settle();
    simulation.log.clear();
    await createPod(simulation, 'lost', { nodeName: 'no-such-node' });
    await simulation.advance(100_000);
    assert.deepEqual(simulation.log.counts(simulation.log.all), {
      'get nodes': 1,
      'patch pods/status': 1,
      'delete pods': 1,
    });
    assert.deepEqual(await podsOf(simulation), []);
    await createPod(simulation, 'kept', {});
    await simulation.settle();
    simulation.log.clear();
    await simulation.advance(1_200_000);
    assert.deepEqual(simulation.log.counts(simulation.log.all), {});
  });

  it('ends the pods that leave a node out of service', async () => {
    const behaviour = { terminateAfter: 3_600_000 };
    await using simulation = await Simulation.start({ controllers, nodes: 1, behaviour });
    await simulation.settle();
    await createPod(simulation, 'stuck', { terminationGracePeriodSeconds: 3600 });
    await createPod(simulation, 'stays', {});
    await simulation.settle();
    const pods = simulation.client.resource(Pod).namespace('default');
    await pods.delete('stuck');
    const nodes = simulation.client.resource(Node);
    const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];
    await nodes.patch('node-0', { type: 'merge', body: { spec: { taints } } });
    await simulation.advance(60_000);
    assert.deepEqual(await podsOf(simulation), ['stays Running', 'stuck Running']);
    const body = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    await nodes.status.patch('node-0', { type: 'strategic', body });
    await simulation.advance(60_000);
    assert.deepEqual(await podsOf(simulation), ['stays Running']);
  });

  it('keeps what runs and the latest that have ended, through any history', async () => {
    const kinds = fc.array(fc.constantFrom('lost', 'kept', 'done'), { minLength: 3, maxLength: 7 });
    const behaviour = {
      outcome: ({ metadata }: Pod) =>
        metadata.name?.startsWith('done') === true ? { after: 1000, exitCode: 0 } : undefined,
    };
    await fc.assert(
      fc.asyncProperty(kinds, anyFaults, fc.nat(), async (steps, faults, seed) => {
        await using simulation = await Simulation.start({
          controllers,
          nodes: 1,
          seed,
          behaviour,
          settings: { terminatedPodGcThreshold: 2 },
          check: (_, { verb, name }) => assert.ok(verb !== 'delete' || !name.startsWith('kept'), name),
        });
        await simulation.settle();
        simulation.faults = faults;
        for (const [index, kind] of steps.entries()) {
          const nodeName = kind === 'lost' ? 'no-such-node' : 'node-0';
          await createPod(simulation, `${kind}-${index}`, { nodeName, restartPolicy: 'Never' });
          await simulation.advance(7000);
        }
        simulation.faults = {};
        await simulation.advance(300_000);
        const left = (await podsOf(simulation)).map((text) => text.split('-')[0]);
        const count = (kind: string) => steps.filter((step) => step === kind).length;
        assert.deepEqual(
          ['lost', 'kept', 'done'].map((kind) => left.filter((each) => each === kind).length),
          [0, count('kept'), Math.min(count('done'), 2)],
        );
        simulation.log.clear();
        await simulation.advance(600_000);
        assert.deepEqual(simulation.log.counts(), {});
      }),
      randomRuns(1),
    );
  });
});
