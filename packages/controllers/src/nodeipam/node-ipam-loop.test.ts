import assert from 'node:assert/strict';
import { Event, Node } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { describe, it } from 'node:test';
import { Simulation, type SimulationFaults, randomRuns } from '../testing/index.js';

const controllers = 'node-ipam-controller';

async function start(clusterCidr = '10.1.0.0/22', faults: SimulationFaults = {}): Promise<Simulation> {
  const settings = { allocateNodeCidrs: true, clusterCidr, serviceClusterIPRange: '10.1.0.0/24' };
  const simulation = await Simulation.start({ controllers, settings, check: noneTwice });
  await simulation.advance(1000);
  simulation.faults = faults;
  return simulation;
}

async function add({ client }: Simulation, name: string): Promise<void> {
  await client.resource(Node).create({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
}

async function cidrs({ client }: Pick<Simulation, 'client'>): Promise<readonly string[]> {
  return (await client.resource(Node).list()).items.flatMap(({ spec }) => spec?.podCIDRs ?? []);
}

async function noneTwice(client: Simulation['client']): Promise<void> {
  const all = await cidrs({ client });
  assert.deepEqual(all, [...new Set(all)]);
}

describe('the loop of addresses of nodes', () => {
  it('gives each node a block, by one request', async () => {
    await using simulation = await start();
    for (const name of ['a', 'b']) await add(simulation, name);
    await simulation.advance(10_000);
    assert.deepEqual([...(await cidrs(simulation))].toSorted(), ['10.1.1.0/24', '10.1.2.0/24']);
    assert.deepEqual(simulation.log.counts(), { 'patch nodes': 2 });
    const node = await simulation.client.resource(Node).get('a');
    assert.equal(node.spec?.podCIDR, node.spec?.podCIDRs?.[0]);
  });

  it('says that there is no block, until a node goes', async () => {
    await using simulation = await start('10.1.0.0/23');
    await add(simulation, 'a');
    await simulation.advance(1000);
    await add(simulation, 'b');
    await simulation.advance(60_000);
    const { items } = await simulation.client.resource(Event).list();
    assert.ok(items.some(({ message }) => message === 'Node b status is now: CIDRNotAvailable'));
    await simulation.client.resource(Node).delete('a');
    await simulation.advance(1_200_000);
    assert.deepEqual(await cidrs(simulation), ['10.1.1.0/24']);
  });

  it('never gives a block twice, through any history', async () => {
    const history = fc.record({
      steps: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 2, maxLength: 8 }),
      faults: fc.constantFrom<SimulationFaults>(
        { watchDelay: 5000 },
        { restartAfterWrites: true },
        { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.3, watchDelay: 500 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, faults }) => {
        await using simulation = await start('10.1.0.0/22', faults);
        const nodes = simulation.client.resource(Node);
        for (const name of steps) {
          const isThere = (await nodes.list()).items.some(({ metadata }) => metadata.name === name);
          await (isThere ? nodes.delete(name) : add(simulation, name));
          await simulation.advance(1000);
        }
        simulation.faults = {};
        await simulation.advance(3_600_000);
        const count = (await nodes.list()).items.length;
        assert.equal((await cidrs(simulation)).length, Math.min(count, 3));
      }),
      randomRuns(2),
    );
  });
});
