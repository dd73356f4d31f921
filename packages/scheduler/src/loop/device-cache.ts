import { objectKey, type SharedInformerFactory } from '@binnacle/client/cache';
import { isShown } from '@binnacle/controllers/common';
import { DeviceClass, ResourceClaim, ResourceSlice } from '@binnacle/client/kinds/resource/v1';
import { type AllocatedDevices, allocatedDevices } from '../devices/index.js';
import { CLASS_PREFIX } from '../plugins/index.js';

const BY_RESOURCE = 'byExtendedResource';

const resourceNamesOf = ({ spec: { extendedResourceName } }: DeviceClass): readonly string[] =>
  extendedResourceName === undefined ? [] : [extendedResourceName];

/** The caches that {@link DeviceCache} reads. */
export function deviceCaches(informers: SharedInformerFactory) {
  return {
    claims: informers.informer(ResourceClaim),
    classes: informers.informer(DeviceClass, { indexes: { [BY_RESOURCE]: resourceNamesOf } }),
    slices: informers.informer(ResourceSlice),
  } as const;
}

export type DeviceCaches = ReturnType<typeof deviceCaches>;

/** The claims and devices as the caches have them, with the allocations that the scheduler has decided or written. Upstream: `claimTracker`. */
export class DeviceCache {
  readonly #caches: DeviceCaches;
  /** Claims whose allocation is not written, by their uid. */
  readonly #pending = new Map<string, ResourceClaim>();
  /** Claims as the server answered a write, by namespace and name, until the cache shows them, or that they are gone. */
  readonly #written = new Map<string, ResourceClaim>();

  constructor(caches: DeviceCaches) {
    this.#caches = caches;
  }

  claim(namespace: string, name: string): ResourceClaim | undefined {
    const key = `${namespace}/${name}`;
    const { indexer, state } = this.#caches.claims;
    const present = indexer.get(key);
    const written = this.#written.get(key);
    if (written === undefined) return present;
    if (!isShown(written, present, state.version)) return written;
    this.#written.delete(key);
    return present;
  }

  deviceClass(name: string): DeviceClass | undefined {
    return this.#caches.classes.lister.get(name);
  }

  /** All claims of a namespace. */
  claimsIn(namespace: string): readonly ResourceClaim[] {
    const written = [...this.#written.values()].filter(({ metadata }) => metadata.namespace === namespace);
    return this.#current([...this.#caches.claims.lister.namespace(namespace).list(), ...written]);
  }

  /** The newest class that names the resource; of two that are equally new, the first by name. Upstream: `ExtendedResourceCache`. */
  classForResource(resource: string): DeviceClass | undefined {
    if (resource.startsWith(CLASS_PREFIX)) return this.deviceClass(resource.slice(CLASS_PREFIX.length));
    const [newest] = this.#caches.classes.indexer.byIndex(BY_RESOURCE, resource).toSorted(newestFirst);
    return newest;
  }

  slices(): readonly ResourceSlice[] {
    return this.#caches.slices.lister.list();
  }

  allocated(): AllocatedDevices {
    const current = this.#current([...this.#caches.claims.lister.list(), ...this.#written.values()]);
    return allocatedDevices([...current, ...this.#pending.values()]);
  }

  isPending({ metadata: { uid = '' } }: ResourceClaim): boolean {
    return this.#pending.has(uid);
  }

  assume(claim: ResourceClaim): void {
    this.#pending.set(claim.metadata.uid ?? '', claim);
  }

  forget({ metadata: { uid = '' } }: ResourceClaim): void {
    this.#pending.delete(uid);
  }

  /** Shows the claim until the cache has this version or a later one. */
  enter(claim: ResourceClaim): void {
    this.#written.set(objectKey(claim), claim);
  }

  /** The latest state of these claims, each once. */
  #current(claims: readonly ResourceClaim[]): readonly ResourceClaim[] {
    const latest = new Map<string, ResourceClaim>();
    for (const claim of claims) {
      const { namespace = '', name = '' } = claim.metadata;
      const found = this.claim(namespace, name);
      if (found !== undefined) latest.set(objectKey(claim), found);
    }
    return [...latest.values()];
  }
}

function newestFirst({ metadata: one }: DeviceClass, { metadata: other }: DeviceClass): number {
  const [time, otherTime] = [one.creationTimestamp ?? '', other.creationTimestamp ?? ''];
  if (time !== otherTime) return time > otherTime ? -1 : 1;
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}
