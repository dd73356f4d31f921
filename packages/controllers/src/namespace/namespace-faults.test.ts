import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigMap, Namespace } from '@binnacle/client/kinds/core/v1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'namespace-controller';
const HELD = ['example.com/tide'];

async function createNamespace({ client }: Simulation, name: string): Promise<void> {
  await client.resource(Namespace).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

async function createContent({ client }: Simulation, namespace: string, name: string, isHeld: boolean): Promise<void> {
  const metadata = { name, finalizers: isHeld ? HELD : [] };
  await client.resource(ConfigMap).namespace(namespace).create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

async function letGo({ client }: Simulation, namespace: string, name: string): Promise<void> {
  const body = { metadata: { finalizers: null } };
  await client.resource(ConfigMap).namespace(namespace).patch(name, { type: 'merge', body });
}

const keyOf = ({ metadata: { namespace = '', name = '' } }: ConfigMap) => `${namespace}/${name}`;

async function contentOf({ client }: Pick<Simulation, 'client'>): Promise<string[]> {
  const { items } = await client.resource(ConfigMap).list();
  return items.map(keyOf).filter((key) => /^[abc]\//.test(key));
}

async function namespacesOf({ client }: Pick<Simulation, 'client'>): Promise<readonly Namespace[]> {
  const { items } = await client.resource(Namespace).list();
  return items.filter(({ metadata }) => /^[abc]$/.test(metadata.name ?? ''));
}

describe('the deletion of namespaces', () => {
  for (const [what, faults] of faultCases) {
    it(`deletes the content, waits for what is held, and finalizes, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers, faults });
      await createNamespace(simulation, 'a');
      for (const name of ['held', 'plain']) await createContent(simulation, 'a', name, name === 'held');
      await simulation.client.resource(Namespace).delete('a');
      await simulation.advance(30_000);
      assert.deepEqual(await contentOf(simulation), ['a/held']);
      await letGo(simulation, 'a', 'held');
      await simulation.settle();
      assert.deepEqual([await namespacesOf(simulation), await contentOf(simulation)], [[], []]);
      const { 'update namespaces/finalize': finalized, 'update namespaces/status': statuses } = simulation.log.counts();
      // The conditions change twice: content remains, and nothing does.
      if (isFaultless(faults)) assert.deepEqual([finalized, statuses], [1, 2]);
      simulation.log.clear();
      await simulation.advance(3_600_000);
      assert.deepEqual(simulation.log.counts(), {});
    });
  }

  it('finalizes empty namespaces only, and touches no other, through any history', () =>
    playHistories({
      controllers,
      runs: 2,
      step: fc.record({
        act: fc.constantFrom('namespace', 'content', 'content', 'let go', 'delete'),
        namespace: fc.constantFrom('a', 'b'),
        name: fc.constantFrom('x', 'y'),
        isHeld: fc.boolean(),
      }),
      begin: async (simulation) => {
        for (const name of ['a', 'b']) await createNamespace(simulation, name);
        const living = new Set(['a', 'b']);
        const content = new Set<string>();
        const ofLiving = () => [...content].filter((key) => living.has(key.split('/')[0] ?? '')).sort();
        return {
          act: async ({ act, namespace, name, isHeld }) => {
            const key = `${namespace}/${name}`;
            const isThere = (await namespacesOf(simulation)).some(({ metadata }) => metadata.name === namespace);
            const isContent = (await contentOf(simulation)).includes(key);
            if (act === 'namespace' && !isThere) {
              await createNamespace(simulation, namespace);
              living.add(namespace);
            } else if (act === 'content' && living.has(namespace) && !isContent) {
              content.add(key);
              await createContent(simulation, namespace, name, isHeld);
            } else if (act === 'let go' && isContent) await letGo(simulation, namespace, name);
            else if (act === 'delete' && living.delete(namespace)) {
              for (const each of content) if (each.startsWith(`${namespace}/`)) content.delete(each);
              await simulation.client.resource(Namespace).delete(namespace);
            }
          },
          check: async (client) => {
            const present = await contentOf({ client });
            for (const key of ofLiving()) assert.ok(present.includes(key), `${key} of a living namespace is gone`);
            const names = (await namespacesOf({ client })).map(({ metadata }) => metadata.name);
            for (const key of present) assert.ok(names.includes(key.split('/')[0]), `${key} has lost its namespace`);
          },
          finish: async () => {
            for (const key of await contentOf(simulation)) {
              const [namespace = '', name = ''] = key.split('/');
              await letGo(simulation, namespace, name);
            }
          },
          settled: async () => {
            assert.deepEqual(
              (await namespacesOf(simulation)).map(({ metadata }) => metadata.name),
              [...living].sort(),
            );
            assert.deepEqual(await contentOf(simulation), ofLiving());
          },
        };
      },
    }));
});
