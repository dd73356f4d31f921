import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindSchema, resourceOfKind, resources } from '@binnacle/api/table';
import { StatusError } from '@binnacle/apimachinery/status';
import { tokenAuthenticator, unionAuthenticator, type UserInfo } from '../authentication/index.js';
import { privilegedGroupAuthorizer, rbacAuthorizer, type RoleSource, unionAuthorizer } from '../authorization/index.js';
import { BuiltInCodec } from '../codec/index.js';
import { ResourceRouter } from '../endpoints/index.js';
import { respondStatus } from '../http/index.js';
import { parseRequestInfo, parseTarget, RequestContext } from '../request/index.js';
import { FakeExchange } from '../testing/index.js';
import { standaloneServerComponents } from './component-statuses.js';
import { reviewEndpoints } from './review-endpoints.js';

const NOW = Date.UTC(2026, 0, 1);
const TIME = '2026-01-01T00:00:00Z';
const admin: UserInfo = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
const jane: UserInfo = { name: 'jane', uid: 'u1', groups: ['dev', 'system:authenticated'], extra: { team: ['a'] } };

const roles: RoleSource = {
  clusterRole: (name) =>
    name === 'basic' ? { rules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }] } : undefined,
  role: (namespace, name) =>
    namespace === 'n' && name === 'cm-reader'
      ? {
          rules: [
            { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] },
            { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one'] },
          ],
        }
      : undefined,
  clusterRoleBindings: () => [
    {
      metadata: { name: 'everybody' },
      subjects: [{ kind: 'Group', name: 'system:authenticated' }],
      roleRef: { kind: 'ClusterRole', name: 'basic' },
    },
  ],
  roleBindings: (namespace) =>
    namespace === 'n'
      ? [
          {
            metadata: { name: 'jane-reads', namespace: 'n' },
            subjects: [{ kind: 'User', name: 'jane' }],
            roleRef: { kind: 'Role', name: 'cm-reader' },
          },
        ]
      : [],
};

const router = new ResourceRouter(() => true);
for (const endpoint of reviewEndpoints({
  resources: resources(),
  authorizer: unionAuthorizer([privilegedGroupAuthorizer(), rbacAuthorizer(roles)]),
  roleSource: roles,
  authorizers: () => [{ type: 'Node' }, { type: 'RBAC' }],
  authenticate: unionAuthenticator({
    authenticators: [tokenAuthenticator([{ token: 'good', user: { ...jane, groups: ['dev'] } }])],
    anonymous: true,
  }),
  apiAudiences: ['https://kubernetes.default.svc'],
  codecOf: (kind) => {
    const schema = kindSchema(kind);
    assert.ok(schema, kind.kind);
    return new BuiltInCodec(kind, schema);
  },
  kindExists: (kind) => resourceOfKind(kind) !== undefined,
  plugins: [],
  pods: () => undefined,
  components: standaloneServerComponents(() => Promise.resolve()),
  now: () => NOW,
})) {
  router.addNonStored(endpoint);
}

/** The fields that the tests read from a response. */
interface Body {
  readonly kind: string;
  readonly message: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
  readonly items: readonly unknown[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

interface Call {
  readonly method?: string;
  readonly body?: object;
  readonly user?: UserInfo;
  readonly accept?: string;
}

async function call(url: string, { method, body, user = admin, accept }: Call = {}) {
  const exchange = new FakeExchange({
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url,
    headers: { 'user-agent': 'test/1', ...(accept === undefined ? {} : { accept }) },
    body: body === undefined ? '' : JSON.stringify(body),
  });
  const { path, query } = parseTarget(url);
  const context = new RequestContext(exchange, path, query, NOW);
  context.info = parseRequestInfo(exchange.method, path, query);
  context.user = user;
  try {
    const handler = router.handlerFor(context.info);
    assert.ok(handler, 'no such group and version');
    await handler(context);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    await respondStatus(context, error);
  }
  return { status: exchange.status, body: JSON.parse(exchange.body) as Body, warnings: context.warnings };
}

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const access = (kind: string, spec: object, metadata?: object) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind,
  ...(metadata === undefined ? {} : { metadata }),
  spec,
});

/** The managed fields of an access review of a resource. */
const managed = (spec: object, apiVersion = 'authorization.k8s.io/v1') => [
  {
    manager: 'test',
    operation: 'Update',
    apiVersion,
    time: TIME,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': spec },
  },
];
const asked = { '.': {}, 'f:namespace': {}, 'f:resource': {}, 'f:verb': {} };
const question = (verb: string) => ({ namespace: 'n', verb, resource: 'configmaps' });

describe('SubjectAccessReview', () => {
  const review = (spec: object, metadata?: object) =>
    call(`${AUTHORIZATION}/subjectaccessreviews`, { body: access('SubjectAccessReview', spec, metadata) });

  it('reports the decision and its reason', async () => {
    assert.deepEqual(await review({ user: 'jane', resourceAttributes: question('get') }), {
      status: 201,
      body: {
        kind: 'SubjectAccessReview',
        apiVersion: 'authorization.k8s.io/v1',
        metadata: { managedFields: managed({ 'f:resourceAttributes': asked, 'f:user': {} }) },
        spec: { resourceAttributes: question('get'), user: 'jane' },
        status: {
          allowed: true,
          reason: 'RBAC: allowed by RoleBinding "jane-reads/n" of Role "cm-reader" to User "jane"',
        },
      },
      warnings: [],
    });
  });

  it('supports metadata only, and no table', async () => {
    const body = access('SubjectAccessReview', { user: 'jane', resourceAttributes: question('get') });
    const as = (kind: string) =>
      call(`${AUTHORIZATION}/subjectaccessreviews`, { body, accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` });
    assert.equal((await as('PartialObjectMetadata')).body.kind, 'PartialObjectMetadata');
    const { status, body: refusal } = await as('Table');
    assert.equal(status, 406);
    assert.match(refusal.message, /^only the following media types are accepted: application\/json, /);
  });

  it('denies without a reason', async () => {
    assert.deepEqual((await review({ user: 'jane', resourceAttributes: question('delete') })).body.status, {
      allowed: false,
    });
  });

  it('answers questions about paths', async () => {
    const path = { nonResourceAttributes: { path: '/version', verb: 'get' } };
    assert.deepEqual((await review({ user: 'x', ...path })).body.status, { allowed: false });
    const { allowed } = (await review({ groups: ['system:authenticated'], ...path })).body.status;
    assert.equal(allowed, true);
  });

  it("refuses a question without a subject in upstream's words for an object without a name", async () => {
    const { status, body } = await review({ resourceAttributes: { verb: 'get' } });
    assert.equal(status, 422);
    const text = 'Invalid value: "": at least one of user or group must be specified';
    assert.deepEqual(body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `.authorization.k8s.io "" is invalid: spec.user: ${text}`,
      reason: 'Invalid',
      details: {
        group: 'authorization.k8s.io',
        causes: [{ reason: 'FieldValueInvalid', message: text, field: 'spec.user' }],
      },
      code: 422,
    });
  });

  for (const [what, spec, metadata, message] of [
    [
      'both kinds of question',
      { user: 'a', resourceAttributes: { verb: 'get' }, nonResourceAttributes: { path: '/x', verb: 'get' } },
      undefined,
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
    ],
    [
      'no question',
      { user: 'a' },
      undefined,
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      'a selector without a requirement',
      { user: 'a', resourceAttributes: { verb: 'list', fieldSelector: {} } },
      undefined,
      'spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required',
    ],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { status, body } = await review(spec, metadata);
      assert.equal(status, 422);
      assert.equal(body.message, `.authorization.k8s.io "" is invalid: ${message}`);
    });
  }

  it('refuses a metadata name', async () => {
    const { body } = await review({ user: 'a', resourceAttributes: { verb: 'get' } }, { name: 'x' });
    assert.match(body.message, /metadata: Invalid value: \{"name":"x".*: must be empty$/);
  });

  it('ignores selectors that it cannot use, and says so', async () => {
    const resourceAttributes = {
      ...question('list'),
      fieldSelector: { rawSelector: 'a b' },
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Like' },
        ],
      },
    };
    assert.equal(
      (await review({ user: 'jane', resourceAttributes })).body.status.evaluationError,
      'spec.resourceAttributes.fieldSelector ignored due to parse error; ' +
        'spec.resourceAttributes.labelSelector partially ignored due to parse error',
    );
  });
});

describe('the other access reviews', () => {
  it('answer for the caller', async () => {
    const body = access('SelfSubjectAccessReview', { resourceAttributes: question('create') });
    const url = `${AUTHORIZATION}/selfsubjectaccessreviews`;
    const { status, body: answer } = await call(url, { body });
    assert.equal(status, 201);
    assert.deepEqual(answer.metadata.managedFields, managed({ 'f:resourceAttributes': asked }));
    assert.deepEqual(answer.status, { allowed: true });
    assert.deepEqual((await call(url, { body, user: jane })).body.status, { allowed: false });
  });

  it('answer only for their own namespace', async () => {
    const url = `${AUTHORIZATION}/namespaces/n/localsubjectaccessreviews`;
    const review = (namespace: string, metadata?: object) =>
      call(url, {
        body: access(
          'LocalSubjectAccessReview',
          { user: 'jane', resourceAttributes: { ...question('get'), namespace } },
          metadata,
        ),
      });
    const { body } = await review('n');
    assert.equal(body.metadata.namespace, 'n');
    assert.equal(body.status.allowed, true);
    assert.equal(
      (await review('other')).body.message,
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    );
    assert.equal((await review('n', { namespace: 'other' })).status, 400);
  });

  it('list the rules of the caller', async () => {
    const url = `${AUTHORIZATION}/selfsubjectrulesreviews`;
    const { status, body } = await call(url, {
      body: access('SelfSubjectRulesReview', { namespace: 'n' }),
      user: jane,
    });
    assert.equal(status, 201);
    assert.deepEqual(body, {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {},
      status: {
        resourceRules: [
          { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] },
          { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one'] },
        ],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }],
        incomplete: false,
      },
    });
    assert.equal(
      (await call(url, { body: access('SelfSubjectRulesReview', {}) })).body.message,
      'no namespace on request',
    );
  });

  it('report that the rules of a node are incomplete', async () => {
    const user = { ...jane, name: 'system:node:n', groups: ['system:nodes'] };
    const review = access('SelfSubjectRulesReview', { namespace: 'n' });
    const { body } = await call(`${AUTHORIZATION}/selfsubjectrulesreviews`, { body: review, user });
    assert.equal(body.status['incomplete'], true);
    assert.equal(body.status['evaluationError'], 'node authorizer does not support user rule resolution');
  });
});

describe('authentication', () => {
  it("returns the caller's user", async () => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    assert.deepEqual((await call(`${AUTHENTICATION}/selfsubjectreviews`, { body, user: jane })).body, {
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: TIME },
      status: {
        userInfo: { username: 'jane', uid: 'u1', groups: ['dev', 'system:authenticated'], extra: { team: ['a'] } },
      },
    });
  });

  const review = (spec: object) =>
    call(`${AUTHENTICATION}/tokenreviews`, {
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec },
    });

  it('distinguishes valid and invalid tokens', async () => {
    const good = await review({ token: 'good' });
    assert.equal(good.status, 201);
    assert.deepEqual(good.body.metadata.managedFields, managed({ 'f:token': {} }, 'authentication.k8s.io/v1'));
    assert.deepEqual(good.body.status, {
      authenticated: true,
      user: { username: 'jane', uid: 'u1', groups: ['dev', 'system:authenticated'], extra: { team: ['a'] } },
      audiences: ['https://kubernetes.default.svc'],
    });
    assert.deepEqual((await review({ token: 'x' })).body.status, { user: {}, error: 'invalid bearer token' });
  });

  it('reads a token as a request would', async () => {
    for (const token of ['good\n', 'good ', 'good and more']) {
      assert.equal((await review({ token })).body.status.authenticated, true, token);
    }
    assert.deepEqual((await review({ token: ' good' })).body.status, { user: {}, error: 'invalid bearer token' });
  });

  it('accepts a token only for its own audiences', async () => {
    assert.deepEqual((await review({ token: 'good', audiences: ['vault'] })).body.status, {
      user: {},
      error: 'invalid bearer token',
    });
  });

  it('requires a token', async () => {
    const { status, body } = await review({ token: '' });
    assert.equal(status, 400);
    assert.equal(body.message, 'token is required for TokenReview in authentication');
  });
});

describe('component statuses', () => {
  const url = '/api/v1/componentstatuses';

  it('are listed, with a warning that they are deprecated', async () => {
    const { status, body, warnings } = await call(url);
    assert.equal(status, 200);
    assert.deepEqual(warnings, ['v1 ComponentStatus is deprecated in v1.19+']);
    assert.equal(body.kind, 'ComponentStatusList');
    assert.deepEqual(body.items[2], {
      metadata: { name: 'etcd-0' },
      conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
    });
  });

  it('are available as a table', async () => {
    const { body } = await call(url, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' });
    assert.deepEqual(
      body.rows.map(({ cells }) => cells.slice(0, 2)),
      [
        ['controller-manager', 'Unhealthy'],
        ['scheduler', 'Unhealthy'],
        ['etcd-0', 'Healthy'],
      ],
    );
  });

  it('are selected by name and by selector', async () => {
    assert.equal((await call(`${url}/scheduler`)).body.metadata.name, 'scheduler');
    assert.equal((await call(`${url}?fieldSelector=metadata.name%3Dscheduler`)).body.items.length, 1);
    assert.equal((await call(`${url}?labelSelector=a%3Db`)).body.items.length, 0);
    assert.equal((await call(`${url}?fieldSelector=spec.x%3Da`)).status, 400);
    const other = await call(`${url}/other`);
    assert.deepEqual([other.status, other.body.message], [404, 'componentstatus "other" not found']);
  });
});

describe('paths and verbs', () => {
  for (const [method, url, status] of [
    ['GET', `${AUTHORIZATION}/subjectaccessreviews`, 405],
    ['DELETE', '/api/v1/componentstatuses/scheduler', 405],
    ['POST', `${AUTHORIZATION}/localsubjectaccessreviews`, 404],
    ['POST', `${AUTHORIZATION}/namespaces/n/subjectaccessreviews`, 404],
    ['GET', `${AUTHORIZATION}/nothing`, 404],
    ['GET', '/api/v1/componentstatuses/scheduler/status', 404],
  ] as const) {
    it(`${method} ${url} is ${status}`, async () => assert.equal((await call(url, { method })).status, status));
  }
});
