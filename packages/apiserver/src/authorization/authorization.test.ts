import { asKind } from '@binnacle/apimachinery/meta';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserInfo } from '../authentication/index.js';
import type { AuthorizationAttributes, Authorizer } from './authorizer.js';
import { bootstrapRbac } from './bootstrap.js';
import { inSlices } from '../slices/index.js';
import { rbacAuthorizer, rulesFor } from './rbac.js';
import type { PolicyRule, Role, RoleBinding, RoleSource } from './role-source.js';
import { ruleAllows } from './rule-match.js';
import { parseRule } from './rule-table.js';
import { privilegedGroupAuthorizer, unionAuthorizer } from './union.js';

const jane: UserInfo = { name: 'jane', uid: '', groups: ['dev', 'system:authenticated'], extra: {} };

/** `get /path`, or `get group/resource[/subresource] [namespace [name]]`. */
function asked(text: string, user = jane): AuthorizationAttributes {
  const [verb = '', what = '', namespace = '', name = ''] = text.split(' ');
  const isResourceRequest = !what.startsWith('/');
  const [group = '', resource = '', subresource = ''] = isResourceRequest ? what.split('/') : [];
  return {
    user,
    verb,
    isResourceRequest,
    namespace: namespace === '-' ? '' : namespace,
    group: group === 'core' ? '' : group,
    version: isResourceRequest ? 'v1' : '',
    resource,
    subresource,
    name,
    path: isResourceRequest ? '' : what,
  };
}

describe('ruleAllows', () => {
  const cases: readonly (readonly [rule: string, request: string, allowed: boolean])[] = [
    ['get | core | pods', 'get core/pods', true],
    ['get | core | pods', 'list core/pods', false],
    ['get | core | pods', 'get apps/pods', false],
    ['get | core | pods', 'get core/pods/log', false],
    ['get | core | pods/log', 'get core/pods/log', true],
    ['get | core | pods/log', 'get core/pods', false],
    ['* | * | *', 'frob x/y/z', true],
    ['get | * | */scale', 'get apps/deployments/scale', true],
    ['get | * | */scale', 'get apps/deployments/status', false],
    ['get | * | */scale', 'get apps/deployments', false],
    ['get | core | secrets | one two', 'get core/secrets n two', true],
    ['get | core | secrets | one', 'get core/secrets n three', false],
    ['get | core | secrets | one', 'get core/secrets n', false],
    ['get | /healthz /apis/*', 'get /apis/apps/v1', true],
    ['get | /healthz /apis/*', 'get /apis', false],
    ['get | /healthz /apis/*', 'get /healthz', true],
    ['get | *', 'get /anything', true],
    ['get | *', 'get core/pods', false],
    ['get | * | *', 'get /anything', false],
  ];
  for (const [rule, request, allowed] of cases) {
    it(`${rule} ${allowed ? 'allows' : 'does not allow'} ${request}`, () => {
      assert.equal(ruleAllows(parseRule(rule), asked(request)), allowed);
    });
  }
});

interface Stored {
  readonly clusterRoles?: Readonly<Record<string, Role>>;
  readonly roles?: Readonly<Record<string, Role>>;
  readonly clusterRoleBindings?: readonly RoleBinding[];
  readonly roleBindings?: readonly RoleBinding[];
}

function sourceOf(stored: Stored): RoleSource {
  return {
    clusterRole: (name) => stored.clusterRoles?.[name],
    role: (namespace, name) => stored.roles?.[`${namespace}/${name}`],
    clusterRoleBindings: () => stored.clusterRoleBindings ?? [],
    roleBindings: (namespace) =>
      (stored.roleBindings ?? []).filter((binding) => binding.metadata.namespace === namespace),
  };
}

describe('rbacAuthorizer', () => {
  const reader: PolicyRule = parseRule('get | core | configmaps');
  const rbac = rbacAuthorizer(
    sourceOf({
      roles: { 'n/reader': { rules: [reader] } },
      clusterRoles: { nodes: { rules: [parseRule('list | core | nodes')] }, view: { rules: null } },
      clusterRoleBindings: [
        {
          metadata: { name: 'devs' },
          subjects: [{ kind: 'Group', name: 'dev' }],
          roleRef: { kind: 'ClusterRole', name: 'nodes' },
        },
      ],
      roleBindings: [
        {
          metadata: { name: 'bots', namespace: 'n' },
          subjects: [{ kind: 'ServiceAccount', name: 'bot' }],
          roleRef: { kind: 'Role', name: 'reader' },
        },
        {
          metadata: { name: 'janes', namespace: 'n' },
          subjects: [{ kind: 'User', name: 'jane' }],
          roleRef: { kind: 'Role', name: 'reader' },
        },
        {
          metadata: { name: 'lost', namespace: 'n' },
          subjects: [{ kind: 'User', name: 'jane' }],
          roleRef: { kind: 'ClusterRole', name: 'gone' },
        },
        { metadata: { name: 'nobody', namespace: 'n' }, subjects: null, roleRef: { kind: 'Role', name: 'reader' } },
      ],
    }),
  );

  it('allows what bound roles allow, in the scope of the binding', async () => {
    assert.deepEqual(await rbac.authorize(asked('get core/configmaps n x')), {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "janes/n" of Role "reader" to User "jane"',
    });
    assert.deepEqual(await rbac.authorize(asked('list core/nodes')), {
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "devs" of ClusterRole "nodes" to Group "dev"',
    });
    assert.deepEqual(await rbac.authorize(asked('get core/configmaps m x')), { allowed: false, reason: '' });
  });

  it('names a missing role', async () => {
    assert.deepEqual(await rbac.authorize(asked('delete core/configmaps n x')), {
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    });
  });

  it('assigns a service account without a namespace to that of the binding', async () => {
    const bot = (namespace: string): UserInfo => ({
      ...jane,
      name: `system:serviceaccount:${namespace}:bot`,
      groups: [],
    });
    const allowed = await rbac.authorize(asked('get core/configmaps n x', bot('n')));
    assert.deepEqual(allowed, {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "bots/n" of Role "reader" to ServiceAccount "bot/n"',
    });
    assert.deepEqual(await rbac.authorize(asked('get core/configmaps n x', bot('m'))), { allowed: false, reason: '' });
  });

  it('lets others run between the roles of a user', async () => {
    const others = { ran: false };
    setImmediate(() => (others.ran = true));
    const binding = { metadata: {}, subjects: [{ kind: 'User', name: 'jane' }], roleRef: { kind: 'Role', name: 'r' } };
    function* untilOthersRan() {
      while (!others.ran) yield binding;
    }
    const source: RoleSource = {
      clusterRole: () => undefined,
      role: () => ({ rules: [] }),
      clusterRoleBindings: () => [],
      roleBindings: untilOthersRan,
    };
    const decision = await rbacAuthorizer(source).authorize(asked('get core/pods n x'));
    assert.deepEqual(decision, { allowed: false, reason: '' });
    others.ran = false;
    setImmediate(() => (others.ran = true));
    assert.deepEqual(await inSlices(rulesFor(source, jane, 'n')), { rules: [], missing: [] });
  });
});

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
