import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceClaim } from '@binnacle/api/types/resource-v1';
import { openMemoryKV } from '@binnacle/kv/memory';
import type { UserInfo } from '../../authentication/index.js';
import { ensureObjects } from '../../bootstrap/index.js';
import { answer } from '../../testing/index.js';
import { testResourceApi } from '../server.testing.js';

const RBAC = 'rbac.authorization.k8s.io';
const account = 'system:serviceaccount:kube-system:driver';
const LABEL = 'resource.kubernetes.io/admin-access';
const REFUSED = `Forbidden: admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`;

const claimOf = (adminAccess: boolean) => ({
  devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', adminAccess } }] },
});
const claim = (adminAccess: boolean) => ({ metadata: { name: 'c' }, spec: claimOf(adminAccess) });
const onNode = (...names: string[]) => ({
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: names }] }],
});
const allocated = (adminAccess?: boolean): ResourceClaim['status'] => ({
  allocation: {
    nodeSelector: onNode('n1'),
    devices: {
      results: [
        {
          request: 'r',
          driver: 'a.example',
          pool: 'p',
          device: 'd',
          ...(adminAccess === undefined ? {} : { adminAccess }),
        },
        { request: 'r', driver: 'b.example', pool: 'p', device: 'd' },
      ],
    },
  },
});
const said = (driver: string) => ({ driver, pool: 'p', device: 'd', conditions: [] });

interface Writer {
  /** `VERB SUBRESOURCE[/NAME]` in the group of claims. */
  readonly rules?: readonly string[];
  readonly node?: string;
}

/** A server with a claim in two namespaces, of which `privileged` has the label. */
async function withClaims(
  run: (write: (method: string, path: string, body: object, who?: Writer) => Promise<string>) => Promise<void>,
  status: ResourceClaim['status'] = {},
): Promise<void> {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv);
  const namespace = (name: string, labels: Record<string, string> = {}) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels },
  });
  const send = async (method: string, path: string, body: object, user: UserInfo) => {
    const [, ns = '', resource = ''] = /^(\w+)\/(\w+)/.exec(path) ?? [];
    const endpoint = api.catalog.find('resource.k8s.io', resource);
    assert.ok(endpoint);
    const url = `/apis/resource.k8s.io/v1/namespaces/${ns}/${path.slice(ns.length + 1)}`;
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    const answered = await answer(endpoint, { method, url, headers, body: JSON.stringify(body), user });
    const { message = '' } = JSON.parse(answered.body) as { message?: string };
    return answered.status < 300 ? '' : message.replace(/^.* is invalid: /, '');
  };
  const admin = { name: 'admin', uid: '', groups: ['system:masters'], extra: {} };
  try {
    await ensureObjects([namespace('plain'), namespace('privileged', { [LABEL]: 'true' })], api.endpointOf);
    for (const ns of ['plain', 'privileged']) {
      assert.equal(await send('POST', `${ns}/resourceclaims`, claim(false), admin), '');
      assert.equal(await send('PATCH', `${ns}/resourceclaims/c/status`, { status }, admin), '');
    }
    let count = 0;
    await run(async (method, path, body, { rules = [], node } = {}) => {
      // Each write has a user of its own, so that rights do not add up.
      const name = `${account}${count++}`;
      await ensureObjects(grantsTo(name, rules), api.endpointOf);
      const extra: UserInfo['extra'] = node === undefined ? {} : { 'authentication.kubernetes.io/node-name': [node] };
      return send(method, path, body, { name, uid: '', groups: [], extra });
    });
  } finally {
    api.stop();
  }
}

function grantsTo(user: string, rules: readonly string[]) {
  const name = user.replaceAll(':', '-');
  return [
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      rules: rules.map((rule) => {
        const [verb = '', resource = '', driver] = rule.split(/[ /]/);
        const names = driver === undefined ? {} : { resourceNames: [driver] };
        return { apiGroups: ['resource.k8s.io'], resources: [`resourceclaims/${resource}`], verbs: [verb], ...names };
      }),
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: user }],
    },
  ];
}

const isForbidden = (text: string, what: string) =>
  assert.match(text, new RegExp(`Forbidden: changing ${what} requires`));

describe('resource claims', () => {
  it('have admin access to devices in labelled namespaces alone', async () => {
    await withClaims(async (write) => {
      const named = (object: object) => ({ ...object, metadata: { name: 'other' } });
      const template = named({ spec: { spec: claimOf(true) } });
      const field = 'spec.devices.requests[0].adminAccess';
      assert.equal(await write('POST', 'plain/resourceclaims', named(claim(true))), `${field}: ${REFUSED}`);
      assert.equal(await write('POST', 'plain/resourceclaimtemplates', template), `${field}: ${REFUSED}`);
      assert.equal(await write('POST', 'plain/resourceclaims', named(claim(false))), '');
      assert.equal(await write('POST', 'privileged/resourceclaims', named(claim(true))), '');
      assert.equal(await write('POST', 'privileged/resourceclaimtemplates', template), '');
    });
  });

  it('are allocated with admin access in labelled namespaces alone', async () => {
    await withClaims(async (write) => {
      const who = { rules: ['patch binding'] };
      const path = (ns: string) => `${ns}/resourceclaims/c/status`;
      const field = 'status.allocation.devices.results[0].adminAccess';
      assert.equal(await write('PATCH', path('plain'), { status: allocated(true) }, who), `${field}: ${REFUSED}`);
      assert.equal(await write('PATCH', path('privileged'), { status: allocated(true) }, who), '');
    });
  });

  it('are bound by those with a right to resourceclaims/binding', async () => {
    await withClaims(async (write) => {
      const path = 'plain/resourceclaims/c/status';
      assert.equal(
        await write('PATCH', path, { status: allocated() }),
        'status: Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="patch" permission: ' +
          `resourceclaims.resource.k8s.io is forbidden: User "${account}0" cannot patch resource "resourceclaims/binding" in API group "resource.k8s.io" at the cluster scope`,
      );
      isForbidden(
        await write('PATCH', path, { status: { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] } }),
        'status.allocation or status.reservedFor',
      );
      isForbidden(
        await write('PATCH', path, { status: allocated() }, { rules: ['update binding'] }),
        'status.allocation or status.reservedFor',
      );
      assert.equal(await write('PATCH', path, { status: allocated() }, { rules: ['patch binding'] }), '');
    });
  });

  it('have statuses of devices from those with a right to the driver', async () => {
    await withClaims(async (write) => {
      const path = 'plain/resourceclaims/c/status';
      const body = { status: { devices: [said('a.example')] } };
      const both = { status: { devices: [said('a.example'), said('b.example')] } };
      const associated = 'associated-node:patch driver';
      isForbidden(await write('PATCH', path, body), 'status.devices');
      isForbidden(await write('PATCH', path, body, { rules: [associated] }), 'status.devices');
      isForbidden(await write('PATCH', path, body, { rules: [associated], node: 'n2' }), 'status.devices');
      isForbidden(
        await write('PATCH', path, body, { rules: ['arbitrary-node:patch driver/b.example'] }),
        'status.devices',
      );
      assert.equal(await write('PATCH', path, body, { rules: [associated], node: 'n1' }), '');
      isForbidden(
        await write('PATCH', path, both, { rules: ['arbitrary-node:patch driver/a.example'] }),
        'status.devices',
      );
      assert.equal(await write('PATCH', path, both, { rules: ['arbitrary-node:patch driver/b.example'] }), '');
      isForbidden(await write('PATCH', path, { status: { devices: null } }), 'status.devices');
      const gone = { status: { allocation: null, devices: null } };
      assert.equal(await write('PATCH', path, gone, { rules: ['patch binding'] }), '', 'devices that are given up');
    }, allocated());
  });

  it('have statuses of at most 64 drivers that change, whatever the rights', async () => {
    await withClaims(async (write) => {
      const of = (count: number) => Array.from({ length: count }, (_, index) => said(`d${index}.example`));
      const send = (count: number) =>
        write(
          'PATCH',
          'plain/resourceclaims/c/status',
          { status: { devices: of(count) } },
          { rules: ['arbitrary-node:patch driver'] },
        );
      assert.equal(await send(65), 'status.devices: Too many: 65: must have at most 64 items');
      assert.match(await send(64), /must be an allocated device in the claim/);
    });
  });
});
