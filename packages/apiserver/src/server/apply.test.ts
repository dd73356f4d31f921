import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { ManagedFieldsEntry } from '@binnacle/apimachinery/meta';
import { openMemoryKV } from '@binnacle/kv/memory';
import { answer } from '../testing/index.js';
import { testResourceApi } from './server.testing.js';

interface Document {
  readonly message?: string;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly metadata: { readonly managedFields?: readonly ManagedFieldsEntry[] };
}

type Send = (method: string, url: string, body?: object) => Promise<Document & { readonly code: number }>;

/** Serves requests to any resource; PATCH applies. */
async function withServer(run: (send: Send) => Promise<void>): Promise<void> {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv, { clock: new VirtualClock(Date.UTC(2026, 0, 2)), watchCache: false });
  const endpoints = new Map(
    api.catalog.endpoints.map((each) => [`${each.resource.version} ${each.resource.resource}`, each]),
  );
  try {
    await run(async (method, url, body) => {
      const [, version, , , resource] = /^\/apis\/[^/]+\/([^/]+)\/(namespaces)\/([^/]+)\/([^/?]+)/.exec(url) ?? [];
      const endpoint = endpoints.get(`${version} ${resource}`);
      assert.ok(endpoint !== undefined, url);
      const { status, body: text } = await answer(
        { ...endpoint, plugins: [] },
        {
          method,
          url,
          headers: { 'content-type': method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
      );
      return { ...(JSON.parse(text) as Document), code: status };
    });
  } finally {
    api.catalog.stop();
  }
}

const owners = ({ metadata }: Document): unknown =>
  metadata.managedFields?.map(({ manager, apiVersion, subresource, time }) => [
    manager,
    apiVersion,
    subresource,
    time === undefined,
  ]);

describe('apply to a scale', () => {
  const path = '/apis/apps/v1/namespaces/default/deployments/d';
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 5 } };
  const deployment = (spec: object): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...spec,
    },
  });

  it('takes ownership of the replicas from the previous manager', () =>
    withServer(async (send) => {
      assert.equal((await send('PATCH', `${path}?fieldManager=m`, deployment({ replicas: 2 }))).code, 201);
      const refused = await send('PATCH', `${path}/scale?fieldManager=hpa`, scale);
      assert.equal(refused.message, 'Apply failed with 1 conflict: conflict with "m": .spec.replicas');
      const scaled = await send('PATCH', `${path}/scale?fieldManager=hpa&force=true`, scale);
      assert.deepEqual([scaled.code, scaled.spec, scaled.metadata.managedFields], [200, { replicas: 5 }, undefined]);
      assert.deepEqual(owners(await send('GET', path)), [
        ['hpa', 'apps/v1', 'scale', true],
        ['m', 'apps/v1', undefined, false],
      ]);
      const back = await send('PATCH', `${path}?fieldManager=m`, deployment({ replicas: 2 }));
      assert.equal(
        back.message,
        'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale": .spec.replicas',
      );
    }));

  it('creates no object', () =>
    withServer(async (send) => {
      assert.equal((await send('PATCH', `${path}/scale?fieldManager=hpa`, scale)).code, 404);
      assert.equal((await send('PATCH', `${path}/status?fieldManager=c`, deployment({}))).code, 404);
    }));
});

describe('apply in several versions', () => {
  const path = (version: string): string =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/h`;
  const autoscaler = (version: string, spec: object): object => ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec,
  });
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } };

  it('compares with each manager in its own version, and prunes across versions', () =>
    withServer(async (send) => {
      const first = autoscaler('v2', {
        maxReplicas: 5,
        scaleTargetRef,
        metrics: [{ type: 'Resource', resource: cpu }],
      });
      assert.equal((await send('PATCH', `${path('v2')}?fieldManager=a`, first)).code, 201);
      const refused = await send(
        'PATCH',
        `${path('v1')}?fieldManager=b`,
        autoscaler('v1', { targetCPUUtilizationPercentage: 70 }),
      );
      assert.equal(refused.message, 'Apply failed with 1 conflict: conflict with "a": .spec.metrics');
      const shared = autoscaler('v1', { targetCPUUtilizationPercentage: 60, minReplicas: 2 });
      assert.deepEqual(owners(await send('PATCH', `${path('v1')}?fieldManager=b`, shared)), [
        ['a', 'autoscaling/v2', undefined, false],
        ['b', 'autoscaling/v1', undefined, false],
      ]);
      await send('PATCH', `${path('v2')}?fieldManager=b`, autoscaler('v2', {}));
      const { spec } = await send('GET', path('v2'));
      assert.deepEqual([spec?.['minReplicas'], spec?.['metrics']], [1, [{ type: 'Resource', resource: cpu }]]);
    }));

  it('gives the fields that a conversion fills in to the manager of the version', () =>
    withServer(async (send) => {
      const { metadata } = await send(
        'POST',
        `${path('v1').replace(/\/h$/, '')}?fieldManager=m`,
        autoscaler('v1', { maxReplicas: 5, scaleTargetRef }),
      );
      const [entry] = metadata.managedFields ?? [];
      assert.deepEqual(Object.keys(entry?.fieldsV1?.['f:spec'] ?? {}), [
        'f:maxReplicas',
        'f:minReplicas',
        'f:scaleTargetRef',
        'f:targetCPUUtilizationPercentage',
      ]);
    }));
});
