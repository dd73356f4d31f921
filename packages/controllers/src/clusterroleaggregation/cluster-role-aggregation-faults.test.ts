import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClusterRole } from '@binnacle/client/kinds/rbac/v1';
import { Simulation, type SimulationFaults } from '../testing/index.js';

const controllers = 'clusterrole-aggregation-controller';
const labels = { 'boats.example.com/aggregate': 'true' };

const role = (name: string, verb: string): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules: [{ verbs: [verb], apiGroups: [''], resources: ['boats'] }],
});

for (const faults of [
  {},
  { watchDelay: 5000 },
  { restartAfterWrites: true },
  { conflicts: 0.3, failedWrites: 0.3, lostAnswers: 0.3, brokenWatches: 0.2, expiredWatches: 0.2 },
]) {
  it(`a role follows the selected roles, ${Object.keys(faults).join(' and ') || 'by a write for each change'}`, async () => {
    await using simulation = await Simulation.start({ controllers });
    await simulation.advance(60_000);
    simulation.log.clear();
    const given: SimulationFaults = faults;
    simulation.faults = given;
    const roles = simulation.client.resource(ClusterRole);
    const verbs = async () => {
      await simulation.advance(60_000);
      return (await roles.get('whole')).rules?.flatMap((rule) => rule.verbs) ?? [];
    };
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    const { apiVersion, kind } = role('', '');
    await roles.create({ apiVersion, kind, metadata: { name: 'whole' }, rules: [], aggregationRule });
    await roles.create(role('first', 'row'));
    assert.deepEqual(await verbs(), ['row']);
    await roles.create(role('second', 'sail'));
    assert.deepEqual(await verbs(), ['row', 'sail']);
    await roles.patch('whole', { type: 'merge', body: { rules: role('', 'mutiny').rules } });
    assert.deepEqual(await verbs(), ['row', 'sail']);
    await roles.delete('first');
    assert.deepEqual(await verbs(), ['sail']);
    if (faults.conflicts === undefined) assert.deepEqual(simulation.log.counts(), { 'patch clusterroles': 4 });
    simulation.log.clear();
    await simulation.advance(600_000);
    assert.deepEqual(simulation.log.counts(), {});
  });
}
