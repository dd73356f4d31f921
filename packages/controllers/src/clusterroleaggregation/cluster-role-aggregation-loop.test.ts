import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClusterRole } from '@binnacle/client/kinds/rbac/v1';
import { FakeObjects, settle } from '@binnacle/client/testing';
import type { TransportRequest } from '@binnacle/client/transport';
import { runLoop } from '../testing/index.js';
import { createClusterRoleAggregationLoop } from './cluster-role-aggregation-loop.js';

const rule = (verb: string) => ({ verbs: [verb], apiGroups: [''], resources: ['boats'] });

/** Servers send null before the first aggregation, whatever the type says. */
const unfilled = JSON.parse('{"rules":null}') as Pick<ClusterRole, 'rules'>;

const role = (name: string, labels: Record<string, string>, verbs: readonly string[] | null): ClusterRole => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  ...(verbs === null ? unfilled : { rules: verbs.map(rule) }),
});

const aggregate = (name: string, label: string, labels: Record<string, string> = {}): ClusterRole => ({
  ...role(name, labels, null),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
});

async function run(...roles: readonly ClusterRole[]) {
  const writes: string[] = [];
  let status = 200;
  const objects = new FakeObjects([ClusterRole], ({ path, body }: TransportRequest) => {
    const given = JSON.parse(String(body)) as ClusterRole;
    const { name = '' } = given.metadata;
    writes.push(`${name}: ${given.rules?.map(({ verbs }) => verbs.join('+')).join(' ') ?? 'none'}`);
    if (status !== 200) return { status, object: { kind: 'Status', status: 'Failure', code: status } };
    assert.match(path, /fieldManager=clusterrole-aggregation-controller&force=true/);
    assert.match(given.metadata.uid ?? '', /^uid-/);
    const stored = roles.find(({ metadata }) => metadata.name === name) ?? given;
    return {
      object: objects.set(ClusterRole, {
        ...stored,
        ...unfilled,
        ...(given.rules === undefined ? {} : { rules: given.rules }),
      }),
    };
  });
  for (const each of roles) objects.set(ClusterRole, each);
  const loop = runLoop(createClusterRoleAggregationLoop, objects.transport, { isSoleServer: false });
  const passing = async () => {
    for (let turns = 0; turns < 20; turns++) await settle();
    return writes.splice(0);
  };
  return {
    ...loop,
    objects,
    passing,
    refuse: (code: number) => {
      status = code;
    },
  };
}

describe('cluster role aggregation', () => {
  it('sets the rules of existing roles, then is idle', async () => {
    const { passing, clock, reports, end } = await run(
      aggregate('sailor', 'to-sailor'),
      role('rower', { 'to-sailor': 'true' }, ['row', 'steer']),
      role('cook', { 'to-sailor': 'true' }, ['cook']),
      role('guest', {}, ['eat']),
    );
    assert.deepEqual(await passing(), ['sailor: cook row steer']);
    await clock.advance(24 * 3_600_000);
    assert.deepEqual(await passing(), []);
    assert.deepEqual(reports, []);
    await end();
  });

  it('follows roles that are created, changed and deleted', async () => {
    const { objects, passing, end } = await run(aggregate('sailor', 'to-sailor'));
    assert.deepEqual(await passing(), []);
    objects.set(ClusterRole, role('rower', { 'to-sailor': 'true' }, ['row']));
    assert.deepEqual(await passing(), ['sailor: row']);
    objects.set(ClusterRole, role('rower', { 'to-sailor': 'true' }, ['row', 'rest']));
    assert.deepEqual(await passing(), ['sailor: row rest']);
    objects.set(ClusterRole, role('guest', {}, ['eat']));
    assert.deepEqual(await passing(), []);
    objects.delete(ClusterRole, { name: 'rower' });
    assert.deepEqual(await passing(), ['sailor: none']);
    await end();
  });

  it('aggregates roles that are aggregated themselves', async () => {
    const { passing, end } = await run(
      aggregate('captain', 'to-captain'),
      aggregate('sailor', 'to-sailor', { 'to-captain': 'true' }),
      role('rower', { 'to-sailor': 'true' }, ['row']),
    );
    assert.deepEqual(await passing(), ['sailor: row', 'captain: row']);
    await end();
  });

  it('reverts changes of other clients', async () => {
    const { objects, passing, end } = await run(
      aggregate('sailor', 'to-sailor'),
      role('rower', { 'to-sailor': 'true' }, ['row']),
    );
    await passing();
    objects.set(ClusterRole, { ...aggregate('sailor', 'to-sailor'), rules: [rule('mutiny')] });
    assert.deepEqual(await passing(), ['sailor: row']);
    await end();
  });

  it('retries failures', async () => {
    const { objects, passing, refuse, reports, clock, end } = await run(aggregate('sailor', 'to-sailor'));
    refuse(500);
    objects.set(ClusterRole, role('rower', { 'to-sailor': 'true' }, ['row']));
    assert.deepEqual([(await passing()).length, reports.length], [1, 1]);
    refuse(200);
    await clock.advance(1000);
    assert.deepEqual(await passing(), ['sailor: row']);
    await end();
  });

  it('retries conflicts until the role is gone', async () => {
    const sailor = aggregate('sailor', 'to-sailor');
    const { objects, passing, refuse, clock, end } = await run(sailor);
    refuse(409);
    objects.set(ClusterRole, role('rower', { 'to-sailor': 'true' }, ['row']));
    assert.deepEqual(await passing(), ['sailor: row']);
    objects.delete(ClusterRole, sailor.metadata);
    await clock.advance(60_000);
    assert.deepEqual(await passing(), []);
    await end();
  });
});
