import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import type { UserInfo } from '../../authentication/index.js';
import { answer } from '../../testing/index.js';
import { testResourceApi } from '../server.testing.js';

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;
const ROOT = `/apis/${API_VERSION}`;

const userNamed = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const admin = userNamed('admin', 'system:masters');
const alice = userNamed('alice', 'dev', 'system:authenticated');

const rule = (verbs: string[], resources: string[]) => ({ verbs, apiGroups: [''], resources });
const secrets = [rule(['get', 'list'], ['secrets'])];
const configMaps = [rule(['get'], ['configmaps'])];

interface Content {
  readonly rules?: readonly object[];
  readonly roleRef?: object;
  readonly subjects?: readonly object[];
  readonly aggregationRule?: object;
}

const object = (kind: string, name: string, content: Content, namespace?: string): KubernetesObject => ({
  apiVersion: API_VERSION,
  kind,
  metadata: namespace === undefined ? { name } : { name, namespace },
  ...content,
});
const bindingOf = (kind: string, role: string, ...users: string[]): Content => ({
  roleRef: { apiGroup: GROUP, kind, name: role },
  subjects: users.map((name) => ({ apiGroup: GROUP, kind: 'User', name })),
});

/**
 * A kind, an object of it that grants `secrets`, one that grants `configMaps`, and a patch that turns an object into
 * the first.
 */
interface GrantingKind {
  readonly kind: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly more: Content;
  readonly less: Content;
  readonly patch: Content;
  /** The permission to grant rights that the user does not hold. */
  readonly permission: object;
}

const escalate = (resource: string) => ({ verbs: ['escalate'], apiGroups: [GROUP], resources: [resource] });
const bind = (resource: string, name: string) => ({
  verbs: ['bind'],
  apiGroups: [GROUP],
  resources: [resource],
  resourceNames: [name],
});

const kinds: readonly GrantingKind[] = [
  {
    kind: 'ClusterRole',
    resource: 'clusterroles',
    more: { rules: secrets },
    less: { rules: configMaps },
    patch: { rules: secrets },
    permission: escalate('clusterroles'),
  },
  {
    kind: 'Role',
    resource: 'roles',
    namespace: 'default',
    more: { rules: secrets },
    less: { rules: configMaps },
    patch: { rules: secrets },
    permission: escalate('roles'),
  },
  {
    kind: 'ClusterRoleBinding',
    resource: 'clusterrolebindings',
    more: bindingOf('ClusterRole', 'secrets', 'zoe'),
    less: bindingOf('ClusterRole', 'configmaps', 'zoe'),
    patch: bindingOf('ClusterRole', 'secrets', 'zoe', 'yan'),
    permission: bind('clusterroles', 'secrets'),
  },
  {
    kind: 'RoleBinding',
    resource: 'rolebindings',
    namespace: 'default',
    more: bindingOf('Role', 'secrets', 'zoe'),
    less: bindingOf('Role', 'configmaps', 'zoe'),
    patch: bindingOf('Role', 'secrets', 'zoe', 'yan'),
    permission: bind('roles', 'secrets'),
  },
];

interface Sent {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly type?: string;
  readonly name?: string;
  readonly query?: string;
  readonly body: unknown;
}

/** Each way to write an object so that it grants `more`; `existing` is already stored. */
function waysOf({ kind, namespace, more, patch }: GrantingKind): readonly (readonly [way: string, sent: Sent])[] {
  const whole = (name: string) => object(kind, name, patch, namespace);
  const operations = Object.entries(patch).map(([field, value]: [string, unknown]) => ({
    op: 'replace',
    path: `/${field}`,
    value,
  }));
  const apply = {
    method: 'PATCH',
    type: 'application/apply-patch+yaml',
    query: '?fieldManager=test&force=true',
  } as const;
  return [
    ['create', { method: 'POST', body: object(kind, 'absent', more, namespace) }],
    ['create, dry run', { method: 'POST', query: '?dryRun=All', body: object(kind, 'absent', more, namespace) }],
    ['update', { method: 'PUT', name: 'existing', body: whole('existing') }],
    ['update, dry run', { method: 'PUT', name: 'existing', query: '?dryRun=All', body: whole('existing') }],
    ['JSON patch', { method: 'PATCH', type: 'application/json-patch+json', name: 'existing', body: operations }],
    ['merge patch', { method: 'PATCH', type: 'application/merge-patch+json', name: 'existing', body: patch }],
    [
      'strategic merge patch',
      { method: 'PATCH', type: 'application/strategic-merge-patch+json', name: 'existing', body: patch },
    ],
    ['apply', { ...apply, name: 'existing', body: whole('existing') }],
    ['create by update', { method: 'PUT', name: 'absent', body: object(kind, 'absent', more, namespace) }],
    ['create by apply', { ...apply, name: 'absent', body: object(kind, 'absent', more, namespace) }],
  ];
}

interface Answered {
  readonly status: number;
  readonly message?: string;
  readonly text: string;
}

interface Server {
  readonly send: (user: UserInfo, sent: Sent, at: GrantingKind) => Promise<Answered>;
  readonly put: (at: GrantingKind, name: string, content: Content) => Promise<void>;
  /** Gives alice these rights in addition to reading config maps. */
  readonly grantAlice: (...rules: object[]) => Promise<void>;
}

const [clusterRole, role, clusterRoleBinding, roleBinding] = kinds as readonly [
  GrantingKind,
  GrantingKind,
  GrantingKind,
  GrantingKind,
];

/** Roles to refer to, an `existing` object of each kind, and alice, who may get config maps. */
async function withServer(run: (server: Server) => Promise<void>): Promise<void> {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  const send: Server['send'] = async (user, { method, type, name, query = '', body }, { resource, namespace }) => {
    const endpoint = api.catalog.find(GROUP, resource);
    assert.ok(endpoint !== undefined);
    const collection = `${ROOT}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${resource}`;
    const { status, body: text } = await answer(
      { ...endpoint, plugins: [] },
      {
        method,
        url: `${collection}${name === undefined ? '' : `/${name}`}${query}`,
        headers: type === undefined ? {} : { 'content-type': type },
        body: JSON.stringify(body),
        user,
      },
    );
    const { message } = JSON.parse(text) as { message?: string };
    return { status, text, ...(message === undefined ? {} : { message }) };
  };
  const put: Server['put'] = async (at, name, content) => {
    const body = object(at.kind, name, content, at.namespace);
    const { status, text } = await send(admin, { method: 'PUT', name, body }, at);
    assert.ok(isAllowed({ status }), text);
    await api.sources.roles.upToDate();
  };
  const grantAlice: Server['grantAlice'] = (...rules) =>
    put(clusterRole, 'alice', { rules: [...configMaps, ...rules] });
  try {
    await grantAlice();
    await put(clusterRoleBinding, 'alice', bindingOf('ClusterRole', 'alice', 'alice'));
    for (const at of [clusterRole, role]) {
      await put(at, 'secrets', { rules: secrets });
      await put(at, 'configmaps', { rules: configMaps });
      await put(at, 'existing', { rules: configMaps });
    }
    await put(clusterRoleBinding, 'existing', clusterRoleBinding.more);
    await put(roleBinding, 'existing', roleBinding.more);
    await run({ send, put, grantAlice });
  } finally {
    api.catalog.stop();
  }
}

function isAllowed({ status }: { status: number }): boolean {
  return status === 200 || status === 201;
}

/** The same request as a dry run. */
function asDryRun(sent: Sent): Sent {
  const { query = '' } = sent;
  if (query.includes('dryRun')) return sent;
  return { ...sent, query: query === '' ? '?dryRun=All' : `${query}&dryRun=All` };
}

const WHO = 'user "alice" (groups=["dev" "system:authenticated"])';
const LACK = `${WHO} is attempting to grant RBAC permissions not currently held:\n`;
const SECRETS = `${LACK}{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}`;
const AGGREGATION = 'must have cluster-admin privileges to use the aggregationRule';

for (const at of kinds) {
  describe(at.kind, () => {
    for (const [way, sent] of waysOf(at)) {
      it(`${way}: requires the granted rights, or the permission to grant them`, () =>
        withServer(async ({ send, grantAlice }) => {
          const refused = await send(alice, sent, at);
          const name = way.startsWith('create') ? 'absent' : 'existing';
          assert.equal(refused.status, 403, refused.text);
          assert.equal(refused.message, `${at.resource}.${GROUP} "${name}" is forbidden: ${SECRETS}`);
          await grantAlice(...secrets);
          assert.ok(isAllowed(await send(alice, asDryRun(sent), at)));
          await grantAlice();
          assert.equal((await send(alice, sent, at)).status, 403);
          await grantAlice(at.permission);
          assert.ok(isAllowed(await send(alice, sent, at)));
        }));
    }

    it('is allowed to users who hold what they grant', () =>
      withServer(async ({ send }) => {
        const body = object(at.kind, 'absent', at.less, at.namespace);
        assert.equal((await send(alice, { method: 'POST', body }, at)).status, 201);
      }));

    it('is refused before a conflict and before validation, and after the uid check', () =>
      withServer(async ({ send }) => {
        const body = (metadata: object) => ({
          ...object(at.kind, 'existing', at.patch, at.namespace),
          metadata: { name: 'existing', ...metadata },
        });
        const update = (metadata: object) => send(alice, { method: 'PUT', name: 'existing', body: body(metadata) }, at);
        assert.equal((await update({ resourceVersion: '1' })).status, 403);
        assert.equal((await update({ labels: { 'a b': 'c' } })).status, 403);
        assert.equal((await update({ uid: 'another' })).status, 409);
      }));

    it('requires its rights for new labels, but not for finalizers and owners', () =>
      withServer(async ({ send, put }) => {
        await put(at, 'existing', at.more);
        const patch = (body: unknown) =>
          send(alice, { method: 'PATCH', type: 'application/merge-patch+json', name: 'existing', body }, at);
        assert.equal((await patch({ metadata: { labels: { a: 'b' } } })).status, 403);
        assert.equal((await patch({ metadata: { finalizers: ['example.com/held'] } })).status, 200);
        const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' };
        assert.equal((await patch({ metadata: { ownerReferences: [owner], finalizers: null } })).status, 200);
      }));
  });
}

describe('aggregation', () => {
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  const everything = [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ];
  const patch = (name: string, body: unknown): Sent => ({
    method: 'PATCH',
    type: 'application/merge-patch+json',
    name,
    body,
  });

  it('requires every right to add, keep or remove it', () =>
    withServer(async ({ send, put, grantAlice }) => {
      await put(clusterRole, 'sum', { aggregationRule });
      const body = object('ClusterRole', 'absent', { aggregationRule });
      const all: readonly (readonly [name: string, sent: Sent])[] = [
        ['absent', { method: 'POST', body }],
        ['existing', patch('existing', { aggregationRule })],
        ['sum', patch('sum', { metadata: { labels: { c: 'd' } } })],
        ['sum', patch('sum', { aggregationRule: null })],
      ];
      for (const [name, sent] of all) {
        const { status, message } = await send(alice, sent, clusterRole);
        assert.equal(status, 403);
        assert.equal(message, `clusterroles.${GROUP} "${name}" is forbidden: ${AGGREGATION}`);
      }
      await grantAlice(...everything);
      for (const [, sent] of all) assert.ok(isAllowed(await send(alice, sent, clusterRole)));
    }));

  it('requires the rights of the role it joins, even when that role is empty', () =>
    withServer(async ({ send, put }) => {
      await put(clusterRole, 'r', clusterRole.more);
      const refused = await send(alice, patch('r', { aggregationRule: {} }), clusterRole);
      assert.deepEqual([refused.status, refused.message], [403, `clusterroles.${GROUP} "r" is forbidden: ${SECRETS}`]);
    }));

  it('includes a labelled role only from users who hold its rules', () =>
    withServer(async ({ send }) => {
      const labelled = (rules: readonly object[]) => ({
        ...object('ClusterRole', 'up', { rules }),
        metadata: { name: 'up', labels: { [`${GROUP}/aggregate-to-admin`]: 'true' } },
      });
      const refused = await send(alice, { method: 'POST', body: labelled(secrets) }, clusterRole);
      assert.equal(refused.message, `clusterroles.${GROUP} "up" is forbidden: ${SECRETS}`);
      assert.equal((await send(alice, { method: 'POST', body: labelled(configMaps) }, clusterRole)).status, 201);
    }));

  it('lets its controller write any rules', () =>
    withServer(async ({ send, put }) => {
      await put(clusterRole, 'aggregator', { rules: [escalate('clusterroles')] });
      await put(clusterRoleBinding, 'aggregator', bindingOf('ClusterRole', 'aggregator', 'bob'));
      await put(clusterRole, 'sum', { aggregationRule });
      const applied = object('ClusterRole', 'sum', { rules: secrets });
      const sent: Sent = {
        method: 'PATCH',
        type: 'application/apply-patch+yaml',
        name: 'sum',
        query: '?fieldManager=aggregator&force=true',
        body: applied,
      };
      assert.equal((await send(userNamed('bob'), sent, clusterRole)).status, 200);
    }));
});

describe('permission to grant', () => {
  it('for a named role applies to the name in the URL', () =>
    withServer(async ({ send, grantAlice }) => {
      await grantAlice({ ...escalate('clusterroles'), resourceNames: ['named'] });
      const body = object('ClusterRole', 'named', { rules: secrets });
      assert.equal((await send(alice, { method: 'POST', body }, clusterRole)).status, 403);
      assert.equal((await send(alice, { method: 'PUT', name: 'named', body }, clusterRole)).status, 201);
    }));

  it('to bind a role applies to that role, whether or not it exists', () =>
    withServer(async ({ send, grantAlice }) => {
      await grantAlice(bind('clusterroles', 'missing'));
      const create = (name: string) => {
        const body = object('ClusterRoleBinding', name, bindingOf('ClusterRole', name, 'zoe'));
        return send(alice, { method: 'POST', body }, clusterRoleBinding);
      };
      assert.equal((await create('missing')).status, 201);
      const { status, message } = await create('gone');
      assert.deepEqual([status, message], [404, `clusterrolebindings.${GROUP} "gone" not found`]);
    }));
});

describe('a binding to no role', () => {
  const cases: readonly (readonly [at: GrantingKind, reference: object, status: number, message: string])[] = [
    [clusterRoleBinding, { kind: 'Role', name: 'secrets' }, 400, 'Namespace parameter required.'],
    [roleBinding, { kind: 'Role', name: '' }, 400, 'Name parameter required.'],
    [roleBinding, { kind: 'Role', name: 'a/b' }, 400, `Name parameter invalid: "a/b": may not contain '/'`],
    [roleBinding, { kind: 'Role', name: 'gone' }, 404, `rolebindings.${GROUP} "gone" not found`],
    [roleBinding, { kind: '__proto__', name: 'x' }, 500, 'unsupported role reference kind: "__proto__"'],
  ];
  for (const [at, reference, status, message] of cases) {
    it(`is refused: ${message}`, () =>
      withServer(async ({ send }) => {
        const body = object(at.kind, 'absent', { roleRef: { apiGroup: GROUP, ...reference } }, at.namespace);
        const refused = await send(alice, { method: 'POST', body }, at);
        assert.deepEqual([refused.status, refused.message], [status, message]);
      }));
  }
});

it('reports roles that cannot be found when rights are missing', () =>
  withServer(async ({ send, put }) => {
    await put(clusterRoleBinding, 'dangling', bindingOf('ClusterRole', 'gone', 'alice'));
    await put(clusterRoleBinding, 'lost', bindingOf('ClusterRole', 'lost', 'alice'));
    const { message = '' } = await send(alice, { method: 'POST', body: object('Role', 'x', { rules: secrets }) }, role);
    const errors = `[[roles.${GROUP} "gone" not found, roles.${GROUP} "lost" not found]]`;
    assert.equal(message, `roles.${GROUP} "x" is forbidden: ${SECRETS}; resolution errors: ${errors}`);
  }));

it('a namespaced right applies only in its namespace', () =>
  withServer(async ({ send, put }) => {
    await put(roleBinding, 'alice', bindingOf('Role', 'secrets', 'alice'));
    const create = (at: GrantingKind) =>
      send(alice, { method: 'POST', body: object(at.kind, 'x', { rules: secrets }) }, at);
    assert.equal((await create(role)).status, 201);
    assert.equal((await create({ ...role, namespace: 'other' })).status, 403);
    assert.equal((await create(clusterRole)).status, 403);
  }));

it('rules that take too long to compare are refused', () =>
  withServer(async ({ send }) => {
    const many = Array.from({ length: 1000 }, (_, index) => `r${index}`);
    const body = object('ClusterRole', 'x', { rules: [{ verbs: many, apiGroups: many, resources: many }] });
    const { status, message = '' } = await send(alice, { method: 'POST', body }, clusterRole);
    assert.equal(status, 403);
    assert.match(message, /too many combinations/);
  }));
