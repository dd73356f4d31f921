import { asKind } from '@binnacle/apimachinery/meta';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserInfo } from '../authentication/index.js';
import type { Authorizer } from './authorizer.js';
import { bootstrapRbac } from './bootstrap.js';
import { inSlices } from '../slices/index.js';
import { rbacAuthorizer, rulesFor } from './rbac.js';
import { asked, jane } from './requests.testing.js';
import type { Role, RoleBinding, RoleSource } from './role-source.js';
import { privilegedGroupAuthorizer, unionAuthorizer } from './union.js';

describe('unionAuthorizer', () => {
  const none = (reason: string): Authorizer => ({ authorize: () => Promise.resolve({ allowed: false, reason }) });
  const deny: Authorizer = { authorize: () => ({ allowed: false, denied: true, reason: 'never' }) };
  const masters = privilegedGroupAuthorizer();

  it('stops at the first opinion', async () => {
    const admin = { ...jane, groups: ['system:masters'] };
    const union = unionAuthorizer([none('a'), masters, deny]);
    assert.deepEqual(await union.authorize(asked('get core/pods', admin)), { allowed: true, reason: '' });
    assert.deepEqual(await union.authorize(asked('get core/pods')), { allowed: false, denied: true, reason: 'never' });
  });

  it('joins the reasons', async () => {
    const union = unionAuthorizer([none('a'), masters, none('b')]);
    assert.deepEqual(await union.authorize(asked('get core/pods')), { allowed: false, reason: 'a\nb' });
  });
});

describe('bootstrapRbac', () => {
  const objects = bootstrapRbac(() => false);
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
  const clusterRole = (name: string): Role | undefined =>
    ofKind('ClusterRole').find((object) => object.metadata.name === name) as Role | undefined;

  it('matches the roles and bindings of a new cluster', () => {
    const counts = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((kind) => ofKind(kind).length);
    assert.deepEqual(counts, [69, 50, 7, 7]);
    for (const object of objects) {
      assert.equal(object.metadata.labels?.['kubernetes.io/bootstrapping'], 'rbac-defaults');
      assert.equal(object.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'], 'true');
    }
  });

  it('has the roles of controllers of resources that are off by default where these are served', () => {
    const names = bootstrapRbac(({ group }) => group === 'storagemigration.k8s.io').map(
      ({ metadata }) => metadata.name,
    );
    const wanted = 'system:controller:storage-version-migrator-controller';
    assert.equal(names.filter((name) => name === wanted).length, 2);
    assert.equal(names.length, objects.length + 2);
  });

  it('binds only roles that exist', () => {
    for (const binding of [...ofKind('ClusterRoleBinding'), ...ofKind('RoleBinding')]) {
      const { kind, name } = binding['roleRef'] as { kind: string; name: string };
      const role = ofKind(kind).find(
        ({ metadata }) => metadata.name === name && metadata.namespace === binding.metadata.namespace,
      );
      assert.notEqual(role, undefined, name);
    }
  });

  it('lets any user read the version, authenticated users discover, and other users nothing', async () => {
    const source: RoleSource = {
      clusterRole,
      role: () => undefined,
      clusterRoleBindings: () => ofKind('ClusterRoleBinding').map((binding) => asKind<RoleBinding>(binding)),
      roleBindings: () => [],
    };
    const rbac = rbacAuthorizer(source);
    const anonymous: UserInfo = { ...jane, name: 'system:anonymous', groups: ['system:unauthenticated'] };
    const may = async (text: string, user: UserInfo) => (await rbac.authorize(asked(text, user))).allowed;
    assert.equal(await may('get /version', anonymous), true);
    assert.equal(await may('get /livez', anonymous), true);
    assert.equal(await may('get /api', anonymous), false);
    assert.equal(await may('get /api', jane), true);
    assert.equal(await may('get /openapi/v3/apis/apps/v1', jane), true);
    assert.equal(await may('get /metrics', jane), false);
    assert.equal(await may('list core/nodes', jane), false);
    assert.equal(await may('create authorization.k8s.io/selfsubjectaccessreviews', jane), true);
    const scheduler: UserInfo = { ...jane, name: 'system:kube-scheduler', groups: [] };
    assert.equal(await may('create core/pods/binding n p', scheduler), true);
    assert.equal((await inSlices(rulesFor(source, scheduler, ''))).missing.length, 0);
  });
});
