import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deployment } from '../kinds/generated/apps/v1.js';
import { ConfigMap, Node, Pod, ServiceAccount } from '../kinds/generated/core/v1.js';
import { ScriptedTransport } from '../testing/index.js';
import { DynamicClient } from './index.js';

/** A server that answers every request with `object`. */
function serve(object: unknown) {
  const transport = new ScriptedTransport(() => ({ object }));
  const sent = () =>
    transport.requests.map(({ method, path, body }) => ({
      request: `${method} ${path}`,
      body: JSON.parse(String(body ?? 'null')) as unknown,
    }));
  return { client: new DynamicClient(transport), sent };
}

describe('built-in kinds', () => {
  it('are typed in get and create', async () => {
    const deployment: Deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', imagePullPolicy: 'Always' }] } },
      },
    };
    const { client, sent } = serve(deployment);
    const read = await client.resource(Deployment).namespace('shop').get('web');
    const replicas: number | undefined = read.spec?.replicas;
    assert.equal(replicas, 3);
    await client.resource(Node).get('worker-1');
    await client
      .resource(ConfigMap)
      .namespace('shop')
      .create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { generateName: 'web-' },
        // @ts-expect-error: values are strings
        data: { size: 1 },
      });
    assert.deepEqual(
      sent().map(({ request }) => request),
      [
        'GET /apis/apps/v1/namespaces/shop/deployments/web',
        'GET /api/v1/nodes/worker-1',
        'POST /api/v1/namespaces/shop/configmaps',
      ],
    );
  });

  it('scale by the scale subresource', async () => {
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 3 } };
    const { client, sent } = serve(scale);
    const deployments = client.resource(Deployment).namespace('shop');
    const read = await deployments.scale.get('web');
    await deployments.scale.update({ ...read, spec: { replicas: (read.spec?.replicas ?? 0) + 1 } });
    assert.deepEqual(sent()[1], {
      request: 'PUT /apis/apps/v1/namespaces/shop/deployments/web/scale',
      body: { ...scale, spec: { replicas: 4 } },
    });
  });

  it('evict pods by the eviction subresource', async () => {
    const { client, sent } = serve({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 });
    const deleteOptions = { gracePeriodSeconds: 5, preconditions: { uid: 'u' } };
    await client.resource(Pod).namespace('shop').eviction.create('web-1', { deleteOptions }, { dryRun: true });
    assert.deepEqual(sent(), [
      {
        request: 'POST /api/v1/namespaces/shop/pods/web-1/eviction?dryRun=All',
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: 'web-1', namespace: 'shop' },
          deleteOptions,
        },
      },
    ]);
  });

  it('issue tokens by the token subresource', async () => {
    const { client, sent } = serve({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: {},
      status: { token: 'secret', expirationTimestamp: '2030-01-01T00:00:00Z' },
    });
    const accounts = client.resource(ServiceAccount).namespace('shop');
    const { status } = await accounts.token.create('builder', {
      spec: { audiences: ['vault'], expirationSeconds: 600 },
    });
    assert.equal(status?.token, 'secret');
    assert.deepEqual(sent(), [
      {
        request: 'POST /api/v1/namespaces/shop/serviceaccounts/builder/token',
        body: {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          metadata: { name: 'builder', namespace: 'shop' },
          spec: { audiences: ['vault'], expirationSeconds: 600 },
        },
      },
    ]);
  });
});
