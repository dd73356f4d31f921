import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryKV } from '@binnacle/kv/memory';
import type { ResourceApi } from './resource-api.js';
import { testResourceApi } from './server.testing.js';

async function withApi(
  times: { eventTtlSeconds: number; minRequestTimeoutSeconds: number },
  run: (api: ResourceApi) => void,
): Promise<void> {
  await using kv = openMemoryKV();
  const api = testResourceApi(kv, times);
  run(api);
  api.catalog.stop();
}

const ttlOf = (api: ResourceApi, group: string, resource: string): number | undefined =>
  api.catalog.find(group, resource)?.store.strategy.ttlSeconds?.({ apiVersion: 'v1', kind: 'Any', metadata: {} });

test('events of both groups expire after the configured time, and other objects do not', () =>
  withApi({ eventTtlSeconds: 7, minRequestTimeoutSeconds: 60 }, (api) => {
    assert.equal(ttlOf(api, '', 'events'), 7);
    assert.equal(ttlOf(api, 'events.k8s.io', 'events'), 7);
    const others = api.catalog.endpoints
      .map(({ resource }) => resource)
      .filter(({ resource }) => resource !== 'events');
    for (const { group, resource } of others) assert.equal(ttlOf(api, group, resource), undefined, resource);
    assert.equal(api.catalog.find('', 'pods')?.minimumWatchSeconds, 60);
  }));

test('without a TTL, events stay, and watches without a timeout continue', () =>
  withApi({ eventTtlSeconds: 0, minRequestTimeoutSeconds: 0 }, (api) => {
    assert.equal(ttlOf(api, '', 'events'), undefined);
    assert.equal(api.catalog.find('', 'pods')?.minimumWatchSeconds, Number.POSITIVE_INFINITY);
  }));
