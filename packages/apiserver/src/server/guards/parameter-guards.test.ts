import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import type { UserInfo } from '../../authentication/index.js';
import { ensureObjects } from '../../bootstrap/index.js';
import { answer } from '../../testing/index.js';
import { testResourceApi } from '../server.testing.js';

const GROUP = 'admissionregistration.k8s.io';
const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const admin = user('admin', 'system:masters');
const alice = user('alice', 'dev');

const constraints = {
  resourceRules: [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] }],
};
const policy = (kind: string) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: { paramKind: { apiVersion: 'v1', kind }, matchConstraints: constraints, validations: [{ expression: 'true' }] },
});
const binding = (paramRef: object) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
  spec: { policyName: 'p', validationActions: ['Deny'], paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } },
});

/** Alice may read ConfigMaps. The messages of what she sends in order; '' for success. */
async function sent(...requests: readonly (readonly [resource: string, body: object, who?: UserInfo])[]) {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  try {
    const rbac = { apiGroup: 'rbac.authorization.k8s.io' };
    await ensureObjects(
      [
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          metadata: { name: 'reader' },
          rules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] }],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'reader' },
          roleRef: { ...rbac, kind: 'ClusterRole', name: 'reader' },
          subjects: [{ ...rbac, kind: 'User', name: 'alice' }],
        },
      ],
      api.endpointOf,
    );
    const messages: string[] = [];
    for (const [resource, body, who = alice] of requests) {
      const endpoint = api.catalog.find(GROUP, resource);
      assert.ok(endpoint);
      const url = `/apis/${GROUP}/v1/${resource}`;
      const headers = { 'content-type': 'application/json' };
      const answered = await answer(endpoint, { method: 'POST', url, headers, body: JSON.stringify(body), user: who });
      const { message = '' } = JSON.parse(answered.body) as { message?: string };
      messages.push(answered.status === 201 ? '' : message.replace(/^.* is invalid: /, ''));
    }
    return messages;
  } finally {
    api.stop();
  }
}

const POLICIES = 'validatingadmissionpolicies';
const BINDINGS = 'validatingadmissionpolicybindings';
const USER = '&{alice  [dev] map[]}';

describe('the parameters of a policy', () => {
  it('are of a kind that its writer may read', async () => {
    assert.deepEqual(await sent([POLICIES, policy('ConfigMap')]), ['']);
    assert.deepEqual(await sent([POLICIES, policy('Secret')]), [
      `spec.paramKind: Forbidden: user ${USER} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)`,
    ]);
  });

  it('are objects that the writer of a binding may read', async () => {
    assert.deepEqual(
      await sent(
        [POLICIES, policy('Secret'), admin],
        [BINDINGS, binding({ name: 's', namespace: 'n' })],
        [BINDINGS, binding({ selector: {} })],
        [BINDINGS, binding({ name: 's' }), admin],
      ),
      [
        '',
        `spec.paramRef: Forbidden: user ${USER} does not have "get" permission on the object referenced by paramRef`,
        `spec.paramRef: Forbidden: user ${USER} does not have "list" permission on the object referenced by paramRef`,
        '',
      ],
    );
    assert.match(String(await sent([BINDINGS, binding({ name: 's' })])), /unable to get policy p to determine/);
  });
});
