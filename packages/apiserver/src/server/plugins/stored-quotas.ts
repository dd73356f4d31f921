import type { ResourceQuota } from '@binnacle/api/types/core-v1';
import { trackUpdate } from '@binnacle/apimachinery/managedfields';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { notFound } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import { pause } from '@binnacle/apimachinery/turns';
import type { ResourceQuotaSource } from '../../admission/index.js';
import { SERVER_MANAGER, serverScope } from '../../bootstrap/index.js';
import type { ResourceEndpoint } from '../../endpoints/index.js';

const RESOURCE = { group: '', resource: 'resourcequotas' };

/**
 * Quotas as admission reads and updates them. Upstream: apiserver `pkg/admission/plugin/resourcequota` quotaAccessor.
 */
export class StoredQuotas implements ResourceQuotaSource {
  readonly #find: () => ResourceEndpoint | undefined;
  #found: ResourceEndpoint | undefined;

  constructor(find: () => ResourceEndpoint | undefined) {
    this.#find = find;
  }

  get #endpoint(): ResourceEndpoint | undefined {
    this.#found ??= this.#find();
    return this.#found;
  }

  /** The cache lists the quotas; the store has their usage, which changes with every write. */
  async resourceQuotas(namespace: string): Promise<Readonly<ResourceQuota>[]> {
    const store = this.#endpoint?.store;
    if (store === undefined) return [];
    const { reader } = store;
    await reader.complete(namespace);
    const quotas: Readonly<ResourceQuota>[] = [];
    for (const { key } of Array.from(reader.eachCached(namespace))) {
      await pause();
      const stored = await reader.find(namespace, key.slice(key.lastIndexOf('/') + 1));
      if (stored !== undefined) quotas.push(stored.decode());
    }
    return quotas;
  }

  async recordUsage(quota: Readonly<ResourceQuota>, used: Readonly<Record<string, string>>): Promise<void> {
    const endpoint = this.#endpoint;
    const { name = '', namespace = '', resourceVersion = '' } = quota.metadata ?? {};
    const view = endpoint?.subresources.get('status')?.view;
    if (endpoint === undefined || view?.strategy === undefined) throw notFound(RESOURCE, name);
    const { codec, resetFields, strategy } = view;
    await endpoint.store.update(serverScope(namespace), {
      name,
      strategy,
      transform(current) {
        if (current === undefined) throw notFound(RESOURCE, name);
        const updated = structuredClone(current) as KubernetesObject & ResourceQuota;
        updated.status = { ...updated.status, used: { ...used } };
        updated.metadata.resourceVersion = resourceVersion;
        const managed = trackUpdate({
          live: current,
          updated,
          schema: codec.schema,
          apiVersion: codec.apiVersion,
          manager: SERVER_MANAGER,
          subresource: 'status',
          now: formatTime(endpoint.clock.now()),
          resetFields,
        });
        if (managed !== undefined) updated.metadata.managedFields = managed;
        return updated;
      },
    });
  }
}
