import type { SharedInformerFactory } from '@binnacle/client/cache';
import { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import type { DeviceManager } from '../plugins/index.js';

/** The caches that {@link DeviceCache} reads. */
export function deviceCaches(informers: SharedInformerFactory) {
  return { claims: informers.informer(ResourceClaim) } as const;
}

export type DeviceCaches = ReturnType<typeof deviceCaches>;

/** The resource claims as the caches have them. */
export class DeviceCache implements DeviceManager {
  readonly #caches: DeviceCaches;

  constructor(caches: DeviceCaches) {
    this.#caches = caches;
  }

  readonly claim = (namespace: string, name: string): ResourceClaim | undefined =>
    this.#caches.claims.indexer.get(`${namespace}/${name}`);
}
