import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserInfo } from '../authentication/index.js';
import { inSlices } from '../slices/index.js';
import { rbacAuthorizer, rulesFor } from './rbac.js';
import { asked, jane } from './requests.testing.js';
import type { PolicyRule, Role, RoleBinding, RoleSource, Subject } from './role-source.js';
import { parseRule } from './rule-table.js';

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

// Upstream's table is in `plugin/pkg/auth/authorizer/rbac/rbac_test.go`.
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
        {
          metadata: { name: 'no-subjects', namespace: 'n' },
          subjects: null,
          roleRef: { kind: 'Role', name: 'reader' },
        },
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

  it('allows what a cluster role allows only in the namespace of a role binding', async () => {
    const everything = { ...parseRule('* | * | *'), nonResourceURLs: ['*'] };
    const admins: RoleBinding = {
      metadata: { name: 'admins', namespace: 'n' },
      subjects: [
        { kind: 'User', name: 'root' },
        { kind: 'Group', name: 'admins' },
      ],
      roleRef: { kind: 'ClusterRole', name: 'admin' },
    };
    const rbac = rbacAuthorizer(sourceOf({ clusterRoles: { admin: { rules: [everything] } }, roleBindings: [admins] }));
    const root = { ...jane, name: 'root', groups: [] };
    const member = { ...jane, groups: ['dev', 'admins'] };
    for (const [user, request, allowed] of [
      [root, 'get core/pods n', true],
      [root, 'watch x/y n', true],
      [member, 'watch x/y n', true],
      [jane, 'watch x/y n', false],
      [root, 'get core/pods m', false],
      [root, 'get core/nodes', false],
      [member, 'get core/nodes', false],
      [root, 'get /apis', false],
    ] as const) {
      assert.equal((await rbac.authorize(asked(request, user))).allowed, allowed, `${user.name} ${request}`);
    }
  });

  it('allows paths through cluster role bindings of users and groups', async () => {
    const bound = (name: string): RoleBinding => ({
      metadata: { name },
      subjects: [
        { kind: 'User', name },
        { kind: 'Group', name: `${name}s` },
      ],
      roleRef: { kind: 'ClusterRole', name },
    });
    const roles = { getter: 'get | /apis', owner: '* | /apis', reader: 'get | /apis/*' };
    const rbac = rbacAuthorizer(
      sourceOf({
        clusterRoles: Object.fromEntries(
          Object.entries(roles).map(([name, rule]) => [name, { rules: [parseRule(rule)] }]),
        ),
        clusterRoleBindings: Object.keys(roles).map(bound),
      }),
    );
    for (const [name, request, allowed] of [
      ['getter', 'get /apis', true],
      ['getter', 'watch /apis', false],
      ['getter', 'get /api/v1', false],
      ['owner', 'watch /apis', true],
      ['owner', 'get /api/v1', false],
      ['reader', 'get /apis/v1/foo', true],
      ['reader', 'get /api/v1', false],
    ] as const) {
      for (const user of [
        { ...jane, name, groups: [] },
        { ...jane, groups: [`${name}s`] },
      ]) {
        assert.equal((await rbac.authorize(asked(request, user))).allowed, allowed, `${user.name} ${name} ${request}`);
      }
    }
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

// Upstream's tables are in `pkg/registry/rbac/validation/rule_test.go`.
describe('rulesFor', () => {
  const reader = parseRule('get watch | core | pods');
  const everything = parseRule('* | * | *');
  /** The rules that apply when `subjects` have a role in namespace `n`, and the group `admins` a cluster role. */
  const rules = async (user: UserInfo, namespace: string, ...subjects: readonly Subject[]) => {
    const source = sourceOf({
      roles: { 'n/reader': { rules: [reader] } },
      clusterRoles: { admin: { rules: [everything] }, unused: { rules: [parseRule('put | core | nodes')] } },
      roleBindings: [{ metadata: { namespace: 'n' }, subjects, roleRef: { kind: 'Role', name: 'reader' } }],
      clusterRoleBindings: [
        { metadata: {}, subjects: [group('admins')], roleRef: { kind: 'ClusterRole', name: 'admin' } },
      ],
    });
    return (await inSlices(rulesFor(source, user, namespace))).rules;
  };
  const named = (name: string): Subject => ({ kind: 'User', name });
  const group = (name: string): Subject => ({ kind: 'Group', name });
  const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
  const everyone = [group('system:authenticated'), group('system:unauthenticated')];

  const cases: readonly (readonly [what: string, user: UserInfo, subjects: readonly Subject[], applies: boolean])[] = [
    ['the user', user('jane'), [named('jane')], true],
    ['the user after another', user('jane'), [named('eve'), named('jane')], true],
    ['other users', user('jane'), [named('eve'), named('joe')], false],
    ['a group of the user', user('jane', 'dev'), [named('eve'), group('dev')], true],
    ['a group with the name of the user', user('jane'), [group('jane')], false],
    ['a user with the name of a group', user('jane', 'dev'), [named('dev')], false],
    ['a user named *', user('jane', 'dev'), [named('*')], false],
    ['a group named *', user('jane', 'dev'), [group('*')], false],
    ['everyone, when the user is authenticated', user('jane', 'system:authenticated'), everyone, true],
    ['everyone, when the user is not', user('system:anonymous', 'system:unauthenticated'), everyone, true],
    [
      'a service account of another namespace',
      user('system:serviceaccount:kube-system:default'),
      [named('eve'), { kind: 'ServiceAccount', namespace: 'kube-system', name: 'default' }],
      true,
    ],
    [
      'a service account with the name of another',
      user('system:serviceaccount:m:default'),
      [{ kind: 'ServiceAccount', namespace: 'kube-system', name: 'default' }],
      false,
    ],
    ['a subject of an unknown kind', user('jane'), [{ kind: 'Machine', name: 'jane' }], false],
    ['users, when the user has no name', user(''), [named('jane'), group('dev')], false],
  ];
  for (const [what, who, subjects, applies] of cases) {
    it(`${applies ? 'has' : 'lacks'} the rules of a binding to ${what}`, async () => {
      assert.deepEqual(await rules(who, 'n', ...subjects), applies ? [reader] : []);
      assert.deepEqual(await rules(who, 'm', ...subjects), [], 'another namespace');
    });
  }

  it('has the rules of cluster role bindings in each namespace and in none', async () => {
    const admin = user('jane', 'admins');
    assert.deepEqual(await rules(admin, '', named('jane')), [everything]);
    assert.deepEqual(await rules(admin, 'm', named('jane')), [everything]);
    assert.deepEqual(await rules(admin, 'n', named('jane')), [everything, reader]);
  });
});
