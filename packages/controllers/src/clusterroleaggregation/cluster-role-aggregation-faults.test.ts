import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClusterRole } from '@binnacle/client/kinds/rbac/v1';
import * as fc from 'fast-check';
import { faultCases, isFaultless, playHistories, Simulation } from '../testing/index.js';

const controllers = 'clusterrole-aggregation-controller';
const labels = { 'boats.example.com/aggregate': 'true' };

const role = (name: string, verb: string): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules: [{ verbs: [verb], apiGroups: [''], resources: ['boats'] }],
});

const aggregate = (name: string, matchLabels: Record<string, string>, own = {}): ClusterRole => ({
  ...role(name, ''),
  metadata: { name, labels: own },
  rules: [],
  aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
});

const verbsOf = ({ rules }: ClusterRole) => (rules ?? []).flatMap(({ verbs }) => verbs);

describe('the aggregation of cluster roles', () => {
  for (const [what, faults] of faultCases) {
    it(`follows the selected roles, by a write for each change, ${what}`, async () => {
      await using simulation = await Simulation.start({ controllers });
      await simulation.advance(60_000);
      simulation.log.clear();
      simulation.faults = faults;
      const roles = simulation.client.resource(ClusterRole);
      const verbs = async () => {
        await simulation.advance(60_000);
        return verbsOf(await roles.get('whole'));
      };
      await roles.create(aggregate('whole', labels));
      await roles.create(role('first', 'row'));
      assert.deepEqual(await verbs(), ['row']);
      await roles.create(role('second', 'sail'));
      assert.deepEqual(await verbs(), ['row', 'sail']);
      await roles.patch('whole', { type: 'merge', body: { rules: role('', 'mutiny').rules } });
      assert.deepEqual(await verbs(), ['row', 'sail']);
      await roles.delete('first');
      assert.deepEqual(await verbs(), ['sail']);
      if (isFaultless(faults)) assert.deepEqual(simulation.log.counts(), { 'patch clusterroles': 4 });
      simulation.log.clear();
      await simulation.advance(600_000);
      assert.deepEqual(simulation.log.counts(), {});
    });
  }

  it('grants what the selected roles grant, through any history, and never what none has granted', () =>
    playHistories({
      controllers,
      runs: 2,
      step: fc.record({
        act: fc.constantFrom('grant', 'grant', 'unlabel', 'delete', 'overwrite'),
        name: fc.constantFrom('a', 'b', 'c'),
        verb: fc.constantFrom('row', 'sail', 'steer'),
      }),
      begin: async ({ client }) => {
        const roles = client.resource(ClusterRole);
        const outer = { 'boats.example.com/outer': 'true' };
        await roles.create(aggregate('whole', labels, outer));
        await roles.create(aggregate('fleet', outer));
        // An apply of no rules at all leaves those of other clients, here as upstream. So one role always grants some.
        await roles.create(role('z', 'rest'));
        const granted = new Map([['z', 'rest']]);
        const known = new Set(['rest']);
        const present = new Set<string>();
        return {
          act: async ({ act, name, verb }) => {
            if (act === 'overwrite') {
              known.add('mutiny');
              await roles.patch('whole', { type: 'merge', body: { rules: role('', 'mutiny').rules } });
            } else if (act === 'grant') {
              known.add(verb);
              granted.set(name, verb);
              const { rules } = role(name, verb);
              await (present.has(name)
                ? roles.patch(name, { type: 'merge', body: { metadata: { labels }, rules } })
                : roles.create(role(name, verb)));
              present.add(name);
            } else if (present.has(name)) {
              granted.delete(name);
              if (act === 'delete') present.delete(name);
              await (act === 'delete'
                ? roles.delete(name)
                : roles.patch(name, { type: 'merge', body: { metadata: { labels: null } } }));
            }
          },
          check: async (direct, { name }) => {
            for (const verb of verbsOf(await direct.resource(ClusterRole).get(name)))
              assert.ok(known.has(verb), `${name} grants ${verb}`);
          },
          settled: async () => {
            const names = [...granted.keys()].sort();
            const expected = [...new Set(names.map((name) => granted.get(name)))];
            assert.deepEqual(verbsOf(await roles.get('whole')), expected);
            assert.deepEqual(verbsOf(await roles.get('fleet')), expected);
          },
        };
      },
    }));
});
