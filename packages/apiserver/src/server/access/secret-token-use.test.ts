import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom, VirtualClock } from '@binnacle/apimachinery/clock';
import { resolveRuntimeConfig } from '@binnacle/api/table';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import { openMemoryKV } from '@binnacle/kv/memory';
import { answer } from '../../testing/index.js';
import { Egress } from '../../egress/index.js';
import { createResourceApi } from '../resource-api.js';
import { secretTokenUse } from './secret-token-use.js';

const NOON = Date.UTC(2026, 0, 2, 12);
const DAY_MS = 86_400_000;

it('the last use of a token is recorded on its Secret once a day', async () => {
  await using kv = openMemoryKV();
  const clock = new VirtualClock(NOON);
  const api = createResourceApi({
    egress: new Egress(),
    kv,
    storagePrefix: '/registry/',
    served: resolveRuntimeConfig(undefined),
    serviceClusterIpRange: '10.0.0.0/24',
    clock,
    random: seededRandom(1),
    watchCache: true,
    metrics: new MetricRegistry(),
    eventTtlSeconds: 0,
    minRequestTimeoutSeconds: 0,
  });
  try {
    const endpoint = api.catalog.find('', 'secrets');
    assert.ok(endpoint !== undefined);
    const send = async (method: string, url: string, body?: object): Promise<KubernetesObject> => {
      const request = { method, url, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      return JSON.parse((await answer({ ...endpoint, plugins: [] }, request)).body) as KubernetesObject;
    };
    const read = (): Promise<KubernetesObject> => send('GET', '/api/v1/namespaces/n/secrets/s');
    const created = await send('POST', '/api/v1/namespaces/n/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', labels: { a: 'b' } },
    });
    const failures: string[] = [];
    const use = secretTokenUse({
      secrets: () => endpoint?.store,
      now: () => clock.now(),
      report: (_, what) => failures.push(what),
    });

    await Promise.all([use(created), use(created)]);
    const first = await read();
    assert.deepEqual(first.metadata.labels, { a: 'b', 'kubernetes.io/legacy-token-last-used': '2026-01-02' });
    assert.equal(Number(first.metadata.resourceVersion), Number(created.metadata.resourceVersion) + 1);
    clock.jump(-DAY_MS);
    await use(first);
    assert.deepEqual(await read(), first);
    clock.jump(2 * DAY_MS);
    await use(first);
    assert.equal((await read()).metadata.labels?.['kubernetes.io/legacy-token-last-used'], '2026-01-03');
    assert.deepEqual(failures, []);

    await use({ ...created, metadata: { ...created.metadata, uid: 'another' } });
    assert.deepEqual(failures, ['the last use of the token in secret n/s']);
  } finally {
    api.catalog.stop();
  }
});
