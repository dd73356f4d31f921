import { resolveRuntimeConfig } from '@binnacle/api/table';
import { MetricRegistry } from '@binnacle/apimachinery/metrics';
import type { KV } from '@binnacle/kv';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import assert from 'node:assert/strict';
import { seededRandom, systemClock } from '@binnacle/apimachinery/clock';
import { ensureObjects } from '../bootstrap/index.js';
import { answer, type Answer } from '../testing/index.js';
import { Egress } from '../egress/index.js';
import { createResourceApi, type ResourceApi } from './resource-api.js';
import type { ResourceApiOptions } from './resource-api-options.js';

/** For tests: the resources that are served by default, over the test's store, at time 0. */
export function testResourceApi(kv: KV, options: Partial<ResourceApiOptions> = {}): ResourceApi {
  return createResourceApi({
    egress: new Egress(),
    kv,
    storagePrefix: '/registry/',
    served: resolveRuntimeConfig(undefined),
    serviceClusterIpRange: '10.0.0.0/24',
    clock: { ...systemClock, now: () => 0 },
    random: seededRandom(1),
    watchCache: true,
    metrics: new MetricRegistry(),
    eventTtlSeconds: 0,
    minRequestTimeoutSeconds: 0,
    ...options,
  });
}

/** Responses to an administrator; a refusal is its message. The media type of a patch is by default that of a merge patch. */
export type Send = (
  method: string,
  url: string,
  body?: object,
  mediaType?: string,
) => Promise<Answer & { readonly message: string }>;

/**
 * For tests: everything that checks a write, over a store with these objects, which is closed at the end. Retries do
 * not wait.
 */
export async function withServer(
  kv: KV,
  objects: readonly KubernetesObject[],
  run: (send: Send) => Promise<void>,
  options: Partial<ResourceApiOptions> = {},
): Promise<void> {
  await using store = kv;
  const retries = { pause: async () => undefined, random: seededRandom(1) };
  const api = testResourceApi(store, { retries, ...options });
  const send: Send = async (method, url, body, mediaType) => {
    const [, group = '', resource = ''] = RESOURCE.exec(url) ?? [];
    const endpoint = api.catalog.find(group, resource);
    assert.ok(endpoint !== undefined, url);
    const usual = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { 'content-type': mediaType ?? usual };
    const request = { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answered = await answer(endpoint, request);
    const { message = '' } = JSON.parse(answered.body === '' ? '{}' : answered.body) as { message?: string };
    return { ...answered, message };
  };
  try {
    await ensureObjects(objects, api.endpointOf);
    await run(send);
  } finally {
    api.stop();
  }
}

const RESOURCE = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(?:namespaces\/[^/]+\/)?([a-z]+)/;
