import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime } from '@binnacle/apimachinery/time';
import { Node, Pod } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { anyFaults, randomRuns, runPod, Simulation, type SimulationOptions } from '../testing/index.js';

const controllers = 'node-lifecycle-controller,serviceaccount-controller';
const settings = { nodeMonitorGracePeriodMs: 20_000 };

/** Two nodes, and a pod that runs on the first. */
async function start(options: Partial<SimulationOptions> = {}): Promise<Simulation> {
  const simulation = await Simulation.start({ controllers, settings, ...options });
  await simulation.advance(1000);
  const spec = { nodeName: 'silent', containers: [{ name: 'c', image: 'img' }] };
  const pods = simulation.client.resource(Pod).namespace('default');
  for (const name of ['silent', 'alive']) await simulation.nodes.create(name);
  await runPod(simulation, await pods.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }));
  await live(simulation, 10_000, 'silent', 'alive');
  return simulation;
}

/** Lets time pass in which these nodes report every 5 s. */
async function live(simulation: Simulation, milliseconds: number, ...names: readonly string[]): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 5000) {
    const lastHeartbeatTime = formatTime(simulation.clock.now());
    for (const name of names) {
      const condition = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime };
      const body = { status: { conditions: [condition] } };
      await simulation.client.resource(Node).status.patch(name, { type: 'strategic', body });
    }
    await simulation.advance(5000);
  }
}

async function seen({ client }: Simulation) {
  const node = await client.resource(Node).get('silent');
  const pod = await client.resource(Pod).namespace('default').get('p');
  return {
    ready: node.status?.conditions?.find(({ type }) => type === 'Ready')?.status,
    taints: (node.spec?.taints ?? []).map(({ key, effect }) => `${key.split('/')[1] ?? ''}:${effect}`).toSorted(),
    pod: pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status,
  };
}

const healthy = { ready: 'True', taints: [], pod: 'True' };
const lost = { ready: 'Unknown', taints: ['unreachable:NoExecute', 'unreachable:NoSchedule'], pod: 'False' };

describe('the loop of nodes', () => {
  it('takes four writes and two events for a node that falls silent, and one for one that returns', async () => {
    await using simulation = await start();
    assert.deepEqual(await seen(simulation), healthy);
    simulation.log.clear();
    await live(simulation, 40_000, 'alive');
    assert.deepEqual(await seen(simulation), lost);
    assert.deepEqual(simulation.log.counts(), {
      'update nodes/status': 1,
      'patch nodes': 2,
      'update pods/status': 1,
      'create events': 2,
    });
    simulation.log.clear();
    await live(simulation, 30_000, 'silent', 'alive');
    const { ready, taints } = await seen(simulation);
    assert.deepEqual([ready, taints], ['True', []]);
    assert.deepEqual(Object.keys(simulation.log.counts()), ['patch nodes']);
  });

  it('does nothing while all nodes report', async () => {
    await using simulation = await start();
    simulation.log.clear();
    await live(simulation, 120_000, 'silent', 'alive');
    assert.deepEqual(simulation.log.counts(), {});
    for (const name of ['silent', 'alive']) await simulation.client.resource(Node).delete(name);
    await simulation.advance(10_000);
    assert.deepEqual(simulation.log.counts(), { 'create events': 2 });
  });

  it('counts a node as alive whose heartbeats a simulation leaves out, until it is cut off', async () => {
    const cutOff = new Set<string>();
    const hasHeartbeat = (node: string) => !cutOff.has(node);
    await using simulation = await start({ settings: { ...settings, hasHeartbeat } });
    simulation.log.clear();
    await simulation.advance(3_600_000);
    assert.deepEqual([await seen(simulation), simulation.log.counts()], [healthy, {}]);
    cutOff.add('silent');
    await simulation.advance(19_000);
    assert.deepEqual(await seen(simulation), healthy);
    await simulation.advance(30_000);
    assert.deepEqual(await seen(simulation), lost);
  });

  it('evicts from no node when all are silent', async () => {
    await using simulation = await start();
    await live(simulation, 40_000);
    assert.deepEqual(await seen(simulation), { ...lost, taints: ['unreachable:NoSchedule'] });
    await live(simulation, 10_000, 'alive');
    await live(simulation, 40_000, 'alive');
    assert.deepEqual(await seen(simulation), lost);
  });

  for (const [what, faults] of [
    ['with caches that are 5 s stale', { watchDelay: 5000 }],
    ['when it restarts after each write', { restartAfterWrites: true }],
    ['when answers are lost', { lostAnswers: 0.3, watchDelay: 1000 }],
    ['with conflicts and failures', { conflicts: 0.3, failedWrites: 0.3, brokenWatches: 0.2 }],
  ] as const) {
    it(`distinguishes lost nodes from others ${what}`, async () => {
      await using simulation = await start();
      simulation.faults = faults;
      await live(simulation, 70_000, 'alive');
      simulation.faults = {};
      await live(simulation, 10_000, 'alive');
      assert.deepEqual(await seen(simulation), lost);
      simulation.faults = faults;
      await live(simulation, 40_000, 'silent', 'alive');
      simulation.faults = {};
      await live(simulation, 30_000, 'silent', 'alive');
      simulation.log.clear();
      await live(simulation, 20_000, 'silent', 'alive');
      assert.deepEqual([(await seen(simulation)).taints, simulation.log.counts()], [[], {}]);
      const alive = await simulation.client.resource(Node).get('alive');
      assert.equal(alive.spec?.taints, undefined);
    });
  }

  it('distinguishes lost nodes from others through any history', async () => {
    const steps = fc.array(fc.record({ isSilent: fc.boolean(), seconds: fc.constantFrom(10, 30, 45) }), {
      minLength: 2,
      maxLength: 5,
    });
    const check: SimulationOptions['check'] = async (client) => {
      const alive = (await client.resource(Node).list()).items.find(({ metadata }) => metadata.name === 'alive');
      const taints = (alive?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
      assert.deepEqual(taints, [], 'a node that reports evicts pods');
    };
    const reporting = (isSilent: boolean) => (isSilent ? ['alive'] : ['silent', 'alive']);
    await fc.assert(
      fc.asyncProperty(steps, anyFaults, fc.nat(), async (history, faults, seed) => {
        await using simulation = await start({ check, seed });
        simulation.faults = faults;
        let isLost = false;
        for (const { isSilent, seconds } of history) {
          await live(simulation, seconds * 1000, ...reporting(isSilent));
          isLost = isSilent;
        }
        simulation.faults = {};
        await live(simulation, 70_000, ...reporting(isLost));
        const { ready, taints } = await seen(simulation);
        const expected = isLost ? lost : healthy;
        assert.deepEqual({ ready, taints }, { ready: expected.ready, taints: expected.taints });
        simulation.log.clear();
        await live(simulation, 30_000, ...reporting(isLost));
        assert.deepEqual(simulation.log.counts(), {});
      }),
      randomRuns(1),
    );
  });
});
