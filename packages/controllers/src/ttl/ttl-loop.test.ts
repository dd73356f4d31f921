import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Node } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { anyFaults, randomRuns, Simulation, type SimulationFaults } from '../testing/index.js';
import { ClusterSize, isNumber } from './cluster-size.js';

const ANNOTATION = 'node.alpha.kubernetes.io/ttl';

describe('the size of a cluster', () => {
  for (const [what, sizes, expected] of [
    ['grows', [1, 100, 101, 500, 501, 1001, 2001], [0, 0, 15, 15, 30, 60, 300]],
    ['shrinks', [2001, 1800, 1799, 900, 899, 449, 90, 89], [300, 300, 60, 60, 30, 15, 15, 0]],
    ['jumps', [1, 5000, 1], [0, 300, 0]],
  ] as const) {
    it(what, () => {
      const size = new ClusterSize();
      assert.deepEqual(
        sizes.map((nodes) => size.timeToLive(nodes)),
        expected,
      );
    });
  }

  for (const [text, expected] of [
    ['15', true],
    ['+15', true],
    ['015', true],
    ['15.0', false],
    ['0xf', false],
    ['', false],
    [undefined, false],
  ] as const) {
    it(`${text} is 15: ${expected}`, () => assert.equal(isNumber(text, 15), expected));
  }
});

describe('the loop of times to live', () => {
  const FAULTS: readonly SimulationFaults[] = [{}, { watchDelay: 5000 }, { restartAfterWrites: true, conflicts: 0.3 }];
  for (const faults of FAULTS) {
    it(`annotates each node once, with ${Object.keys(faults).join(' and ') || 'no faults'}`, async () => {
      await using simulation = await Simulation.start({ controllers: 'ttl-controller', faults });
      const nodes = simulation.client.resource(Node);
      const create = (name: string, annotations: Record<string, string>) =>
        nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name, annotations } });
      await create('a', {});
      await create('b', { [ANNOTATION]: 'soon' });
      await create('c', { [ANNOTATION]: '0' });
      await simulation.settle();
      const { items } = await nodes.list();
      assert.deepEqual(
        items.map(({ metadata }) => metadata.annotations?.[ANNOTATION]),
        ['0', '0', '0'],
      );
      const counts = simulation.log.counts(simulation.log.writes);
      if (Object.keys(faults).length === 0) assert.deepEqual(counts, { 'patch nodes': 2 });
      simulation.log.clear();
      await nodes.patch('a', { type: 'merge', body: { metadata: { labels: { zone: 'x' } } } });
      await simulation.advance(3_600_000);
      assert.deepEqual(simulation.log.counts(), {});
    });
  }

  it('annotates all nodes through any history', async () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      text: fc.constantFrom(undefined, '0', '15', 'soon'),
      pause: fc.constantFrom(0, 1000, 6000),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 8 }),
        anyFaults,
        fc.nat(),
        async (steps, faults, seed) => {
          await using simulation = await Simulation.start({ controllers: 'ttl-controller', faults, seed });
          const nodes = simulation.client.resource(Node);
          for (const { name, text, pause } of steps) {
            const isThere = (await nodes.list()).items.some(({ metadata }) => metadata.name === name);
            const annotations = text === undefined ? {} : { [ANNOTATION]: text };
            if (!isThere) await nodes.create({ apiVersion: 'v1', kind: 'Node', metadata: { name, annotations } });
            else if (text === undefined) await nodes.delete(name);
            else await nodes.patch(name, { type: 'merge', body: { metadata: { annotations } } });
            await simulation.advance(pause);
          }
          simulation.faults = {};
          await simulation.settle();
          const texts = (await nodes.list()).items.map(({ metadata }) => metadata.annotations?.[ANNOTATION]);
          assert.ok(
            texts.every((text) => text === '0'),
            texts.join(),
          );
          simulation.log.clear();
          await simulation.advance(3_600_000);
          assert.deepEqual(simulation.log.counts(), {});
        },
      ),
      randomRuns(1),
    );
  });
});
