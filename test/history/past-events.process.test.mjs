import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { exchange } from '@binnacle/client/rest';
import { testServer } from 'binnacle/testing';

const HISTORY = '/binnacle/v1/history';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const widget = (size) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size } });
const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: { type: object, properties: { spec: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`;

describe('past events', { timeout: 600_000 }, () => {
  let server;
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-past-'));
    await writeFile(join(folder, 'widgets.yaml'), definition);
    server = await testServer({ definitions: [folder] });
    await rm(folder, { recursive: true });
  });
  after(() => server?.stop());

  const get = (path, headers = {}) => exchange(server.transport, { method: 'GET', path, headers });

  it('need the rights to read the objects', async () => {
    const jane = { 'impersonate-user': 'jane', 'impersonate-group': 'system:authenticated' };
    const refusal = async (path) => {
      const { status, message } = await get(path, jane).then(
        () => assert.fail(`${path} was answered`),
        ({ status: { code, message } }) => ({ status: code, message }),
      );
      assert.equal(status, 403);
      return message;
    };
    for (const path of [CONFIG_MAPS, `${CONFIG_MAPS}/a`])
      assert.equal(await refusal(HISTORY + path), await refusal(path));
    const rbac = server.client.resource({
      group: 'rbac.authorization.k8s.io',
      version: 'v1',
      resource: 'clusterroles',
    });
    await rbac.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reads-a' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['get'] }],
    });
    const bindings = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' };
    await server.client.resource(bindings).create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'jane' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reads-a' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
    });
    const { items } = await get(`${HISTORY}${CONFIG_MAPS}/a`, jane);
    assert.deepEqual(items, []);
    await refusal(`${HISTORY}${CONFIG_MAPS}/b`);
    await refusal(HISTORY + CONFIG_MAPS);
  });

  it('are those of custom resources too', async () => {
    const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
    const client = server.client.resource(widgets).namespace('default');
    await client.create(widget(1));
    await client.apply({ ...widget(2), metadata: { name: 'w' } }, { fieldManager: 'sizer', force: true });
    const { items } = await get(`${HISTORY}/apis/example.com/v1/namespaces/default/widgets/w`);
    assert.deepEqual(
      items.map(({ type, object, writer }) => [type, object.spec.size, writer.manager, writer.verb, writer.user]),
      [
        ['MODIFIED', 2, 'sizer', 'patch', 'kubernetes-admin'],
        ['ADDED', 1, 'binnacle-test', 'create', 'kubernetes-admin'],
      ],
    );
    assert.match(items[0].writer.auditID, /^[0-9a-f-]{36}$/);
  });

  it('are in no discovery', async () => {
    const { paths } = await get('/');
    assert.deepEqual(
      paths.filter((path) => path.includes('binnacle')),
      [],
    );
    for (const path of ['/binnacle', '/binnacle/v1', HISTORY, `${HISTORY}/api/v1`]) {
      await assert.rejects(get(path), (error) => error.status?.code === 404 || /404/.test(String(error)));
    }
  });
});
