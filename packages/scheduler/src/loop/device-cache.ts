import type { SharedInformerFactory } from '@binnacle/client/cache';
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
  /** Claims as the server answered a write, by namespace and name, until the cache has caught up. */
  readonly #written = new Map<string, ResourceClaim>();

  constructor(caches: DeviceCaches) {
    this.#caches = caches;
  }

  claim(namespace: string, name: string): ResourceClaim | undefined {
    const key = `${namespace}/${name}`;
    const present = this.#caches.claims.indexer.get(key);
    const written = this.#written.get(key);
    if (written === undefined) return present;
    if (present !== undefined && present.metadata.uid === written.metadata.uid && isNewer(written, present))
      return written;
    this.#written.delete(key);
    return present;
  }

  deviceClass(name: string): DeviceClass | undefined {
    return this.#caches.classes.lister.get(name);
  }

  /** All claims of a namespace. */
  claimsIn(namespace: string): readonly ResourceClaim[] {
    const present = this.#caches.claims.lister.namespace(namespace).list();
    const named = new Set(present.map(({ metadata }) => metadata.name));
    const fresh = [...this.#written.values()].filter(
      ({ metadata }) => metadata.namespace === namespace && !named.has(metadata.name),
    );
    return [...present, ...fresh];
  }

  /** The newest class that names the resource, and of two the one whose name comes first. Upstream: `ExtendedResourceCache`. */
  classForResource(resource: string): DeviceClass | undefined {
    if (resource.startsWith(CLASS_PREFIX)) return this.deviceClass(resource.slice(CLASS_PREFIX.length));
    const [newest] = this.#caches.classes.indexer.byIndex(BY_RESOURCE, resource).toSorted(newestFirst);
    return newest;
  }

  slices(): readonly ResourceSlice[] {
    return this.#caches.slices.lister.list();
  }

  allocated(): AllocatedDevices {
    // Drops those that the cache has caught up with, or has lost.
    for (const { metadata } of this.#written.values()) this.claim(metadata.namespace ?? '', metadata.name ?? '');
    const present = this.#caches.claims.lister.list();
    const current = present.map(
      (claim) => this.claim(claim.metadata.namespace ?? '', claim.metadata.name ?? '') ?? claim,
    );
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

  /** Shows the claim no longer as it was written: it is deleted. */
  drop(namespace: string, name: string): void {
    this.#written.delete(`${namespace}/${name}`);
  }

  /** Shows the claim until the cache has this version or a later one. */
  enter(claim: ResourceClaim): void {
    const { namespace = '', name = '' } = claim.metadata;
    this.#written.set(`${namespace}/${name}`, claim);
  }
}

function isNewer(one: ResourceClaim, other: ResourceClaim): boolean {
  return BigInt(one.metadata.resourceVersion ?? '0') > BigInt(other.metadata.resourceVersion ?? '0');
}

function newestFirst({ metadata: one }: DeviceClass, { metadata: other }: DeviceClass): number {
  const [time, otherTime] = [one.creationTimestamp ?? '', other.creationTimestamp ?? ''];
  if (time !== otherTime) return time > otherTime ? -1 : 1;
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1;
}
