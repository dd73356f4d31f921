import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import { ensureObjects } from '../../bootstrap/index.js';
import { testResourceApi } from '../server.testing.js';

const RBAC = 'rbac.authorization.k8s.io';
const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'read' };
const subjects = [{ kind: 'User', apiGroup: RBAC, name: 'jane' }];
const jane = { name: 'jane', uid: '', groups: [], extra: {} };
const object = (kind: string, namespace: string, more: object) => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  metadata: { name: 'read', ...(namespace === '' ? {} : { namespace }) },
  ...more,
});

it('RoleObjects: reads roles and bindings without waiting, once it is ready', async () => {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  const { sources } = api;
  const { roles } = sources;
  try {
    assert.deepEqual([roles.isReady, sources.unknown(), roles.clusterRole('read')], [false, ['rbac'], undefined]);
    await roles.ready();
    assert.deepEqual([roles.isReady, sources.unknown(), [...roles.clusterRoleBindings(jane)]], [true, [], []]);
    const stored = [
      object('ClusterRole', '', { rules }),
      object('Role', 'team', { rules }),
      object('ClusterRoleBinding', '', { roleRef, subjects }),
      object('RoleBinding', 'team', { roleRef, subjects }),
    ];
    await ensureObjects(stored, api.endpointOf);
    await roles.upToDate();
    assert.deepEqual([roles.clusterRole('read')?.rules, roles.role('team', 'read')?.rules], [rules, rules]);
    assert.equal(roles.role('other', 'read'), undefined);
    assert.deepEqual(
      Array.from(roles.clusterRoleBindings(jane), (binding) => binding.roleRef),
      [roleRef],
    );
    assert.deepEqual(
      Array.from(roles.roleBindings('team', jane), (binding) => binding.roleRef),
      [roleRef],
    );
    assert.deepEqual([...roles.roleBindings('other', jane)], []);
    assert.deepEqual([...roles.clusterRoleBindings({ ...jane, name: 'eve' })], []);
  } finally {
    api.stop();
  }
});
