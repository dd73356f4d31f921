import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { DynamicClient } from '@binnacle/client/dynamic';
import { isForbidden, isNotFound } from '@binnacle/client/rest';
import { FakeStore, ScriptedTransport } from '@binnacle/client/testing';
import { METRICS_HOST, registerMetrics, unregisterMetrics } from './register-metrics.js';

const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const SERVICES = '/api/v1/namespaces/kube-system/services';
const API_SERVICE = `${API_SERVICES}/v1beta1.metrics.k8s.io`;
const SERVICE = `${SERVICES}/binnacle-metrics`;
const PLACE = { address: '127.0.0.1', port: 4443, authority: 'PEM' };
const { signal } = new AbortController();

function cluster() {
  const store = new FakeStore();
  const transport = new ScriptedTransport((request) => store.answer(request));
  const writes = (): string[] =>
    transport.requests.flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));
  return { store, client: new DynamicClient(transport), writes };
}

/** An object as another program has made it. */
function add({ store }: ReturnType<typeof cluster>, path: string, object: KubernetesObject): void {
  store.answer({ method: 'POST', path, body: JSON.stringify(object) });
}

const apiServiceSpec = (port: number) => ({
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  service: { name: 'binnacle-metrics', namespace: 'kube-system', port },
  caBundle: Buffer.from('PEM').toString('base64'),
  groupPriorityMinimum: 100,
  versionPriority: 100,
});

const ofMetricsServer: KubernetesObject = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1beta1.metrics.k8s.io', uid: 'u' },
  spec: { service: { name: 'metrics-server', namespace: 'kube-system' } },
};

describe('the registration of the metrics API', () => {
  it('creates a Service of the address, and an APIService that leads to it', async () => {
    const given = cluster();
    assert.equal(await registerMetrics(given.client, PLACE, signal), true);
    assert.deepEqual(given.writes(), [`POST ${SERVICES}`, `POST ${API_SERVICES}`]);
    assert.deepEqual(given.store.get(SERVICE)?.['spec'], { type: 'ExternalName', externalName: '127.0.0.1' });
    assert.deepEqual(given.store.get(API_SERVICE)?.['spec'], apiServiceSpec(4443));
    assert.equal(METRICS_HOST, 'binnacle-metrics.kube-system.svc');
  });

  it('replaces the spec of an earlier run', async () => {
    const given = cluster();
    await registerMetrics(given.client, PLACE, signal);
    assert.equal(await registerMetrics(given.client, { ...PLACE, address: '::1', port: 5000 }, signal), true);
    assert.deepEqual(given.writes().slice(2), [
      `POST ${SERVICES}`,
      `PATCH ${SERVICE}`,
      `POST ${API_SERVICES}`,
      `PATCH ${API_SERVICE}`,
    ]);
    assert.deepEqual(given.store.get(SERVICE)?.['spec'], { type: 'ExternalName', externalName: '::1' });
    assert.deepEqual(given.store.get(API_SERVICE)?.['spec'], apiServiceSpec(5000));
  });

  it('leaves the API to another server, also at the end', async () => {
    const given = cluster();
    add(given, API_SERVICES, ofMetricsServer);
    assert.equal(await registerMetrics(given.client, PLACE, signal), false);
    await unregisterMetrics(given.client, signal);
    assert.deepEqual(given.writes(), []);
  });

  it('removes both objects', async () => {
    const given = cluster();
    await registerMetrics(given.client, PLACE, signal);
    await unregisterMetrics(given.client, signal);
    assert.deepEqual(given.writes().slice(2), [`DELETE ${API_SERVICE}`, `DELETE ${SERVICE}`]);
    assert.deepEqual(given.store.all, []);
  });

  it('removes the APIService also when a user has removed the Service', async () => {
    const given = cluster();
    await registerMetrics(given.client, PLACE, signal);
    given.store.delete(SERVICE);
    await unregisterMetrics(given.client, signal);
    assert.deepEqual(given.store.all, []);
  });

  it('removes nothing that is gone', async () => {
    const given = cluster();
    await unregisterMetrics(given.client, signal);
    assert.deepEqual(given.writes(), []);
  });

  it('rejects with other errors of the cluster', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403 };
    const client = new DynamicClient(new ScriptedTransport(() => ({ status: 403, object: status })));
    await assert.rejects(registerMetrics(client, PLACE, signal), isForbidden);
    await assert.rejects(unregisterMetrics(client, signal), isForbidden);
  });

  it('rejects when an object cannot be created', async () => {
    const store = new FakeStore();
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
    const transport = new ScriptedTransport((request) =>
      request.method === 'POST' ? { status: 404, object: status } : store.answer(request),
    );
    await assert.rejects(registerMetrics(new DynamicClient(transport), PLACE, signal), isNotFound);
  });
});
