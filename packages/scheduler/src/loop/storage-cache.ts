import { classNameOf } from '@binnacle/controllers/volumes';
import type { Indexer, SharedInformerFactory } from '@binnacle/client/cache';
import { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '@binnacle/client/kinds/storage/v1';
import type { StorageView } from '../framework/index.js';

const BY_CLASS = 'class';
const BY_NODE = 'node';
const volumeClass = (volume: PersistentVolume): string[] => [classNameOf(volume) ?? ''];
const capacityClass = ({ storageClassName }: CSIStorageCapacity): string[] => [storageClassName];
const attachmentNode = ({ spec }: VolumeAttachment): string[] => [spec.nodeName];

/** The caches that {@link StorageCache} reads. */
export function storageCaches(informers: SharedInformerFactory) {
  return {
    claims: informers.informer(PersistentVolumeClaim),
    volumes: informers.informer(PersistentVolume, { indexes: { [BY_CLASS]: volumeClass } }),
    classes: informers.informer(StorageClass),
    drivers: informers.informer(CSIDriver),
    csiNodes: informers.informer(CSINode),
    capacities: informers.informer(CSIStorageCapacity, { indexes: { [BY_CLASS]: capacityClass } }),
    attachments: informers.informer(VolumeAttachment, { indexes: { [BY_NODE]: attachmentNode } }),
  } as const;
}

export type StorageCaches = ReturnType<typeof storageCaches>;

/** The storage as the caches have it, with the volumes and claims that the scheduler is about to write. Upstream: `AssumeCache`. */
export class StorageCache implements StorageView {
  readonly #caches: StorageCaches;
  readonly #isClaimUsed: StorageView['isClaimUsed'];
  readonly #volumes: Assumptions<PersistentVolume>;
  readonly #claims: Assumptions<PersistentVolumeClaim>;

  constructor(caches: StorageCaches, isClaimUsed: StorageView['isClaimUsed']) {
    this.#caches = caches;
    this.#isClaimUsed = isClaimUsed;
    this.#volumes = new Assumptions(caches.volumes.indexer);
    this.#claims = new Assumptions(caches.claims.indexer);
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#claims.get(`${namespace}/${name}`);
  }

  isClaimUsed(namespace: string, name: string): boolean {
    return this.#isClaimUsed(namespace, name);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#volumes.get(name);
  }

  volumesOfClass(className: string): readonly PersistentVolume[] {
    const present = this.#caches.volumes.indexer.byIndex(BY_CLASS, className);
    return present.map((volume) => this.volume(volume.metadata.name ?? '') ?? volume);
  }

  storageClass(name: string): StorageClass | undefined {
    return this.#caches.classes.lister.get(name);
  }

  capacitiesOfClass(className: string): readonly CSIStorageCapacity[] {
    return this.#caches.capacities.indexer.byIndex(BY_CLASS, className);
  }

  driver(name: string): CSIDriver | undefined {
    return this.#caches.drivers.lister.get(name);
  }

  csiNode(nodeName: string): CSINode | undefined {
    return this.#caches.csiNodes.lister.get(nodeName);
  }

  attachments(nodeName: string): readonly VolumeAttachment[] {
    return this.#caches.attachments.indexer.byIndex(BY_NODE, nodeName);
  }

  assumeVolume(volume: PersistentVolume): void {
    this.#volumes.assume(volume.metadata.name ?? '', volume);
  }

  assumeClaim(claim: PersistentVolumeClaim): void {
    this.#claims.assume(keyOfClaim(claim), claim);
  }

  /** Ends the assumption, unless there is a later one. */
  forgetVolume(volume: PersistentVolume): void {
    this.#volumes.forget(volume.metadata.name ?? '', volume);
  }

  forgetClaim(claim: PersistentVolumeClaim): void {
    this.#claims.forget(keyOfClaim(claim), claim);
  }
}

export function keyOfClaim({ metadata: { namespace = '', name = '' } }: PersistentVolumeClaim): string {
  return `${namespace}/${name}`;
}

/** Objects that replace those of a cache until the cache has a newer version. */
class Assumptions<T extends PersistentVolume | PersistentVolumeClaim> {
  readonly #cache: Indexer<T>;
  readonly #assumed = new Map<string, T>();

  constructor(cache: Indexer<T>) {
    this.#cache = cache;
  }

  get(key: string): T | undefined {
    const present = this.#cache.get(key);
    const assumed = this.#assumed.get(key);
    if (assumed === undefined) return present;
    if (present?.metadata.resourceVersion === assumed.metadata.resourceVersion) return assumed;
    this.#assumed.delete(key);
    return present;
  }

  assume(key: string, object: T): void {
    this.#assumed.set(key, object);
  }

  forget(key: string, object: T): void {
    if (this.#assumed.get(key) === object) this.#assumed.delete(key);
  }
}
