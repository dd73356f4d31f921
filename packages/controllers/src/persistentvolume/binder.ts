import { splitObjectKey, type Indexer, type Lister } from '@binnacle/client/cache';
import type { ReconcileRequest } from '@binnacle/client/controller';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { EventRecorder } from '@binnacle/client/events';
import { type Node, PersistentVolume, PersistentVolumeClaim, type Pod } from '@binnacle/client/kinds/core/v1';
import type { StorageClass } from '@binnacle/client/kinds/storage/v1';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import { type LatestObjects, type PlannedEvent, recordEvents, unlessGone } from '../common/index.js';

export interface BinderCaches {
  readonly volumes: LatestObjects<PersistentVolume>;
  readonly claims: LatestObjects<PersistentVolumeClaim>;
  readonly pods: Indexer<Pod>;
  readonly classes: Lister<StorageClass>;
  readonly nodes: Lister<Node>;
}

export interface BinderOptions extends BinderCaches {
  readonly recorder: EventRecorder;
  readonly isHostPathEnabled: boolean;
  readonly client: DynamicClient;
  readonly signal: AbortSignal;
  readonly enqueue: (request: ReconcileRequest) => void;
}

/** What a reconcile of a claim or volume reads and writes. */
export class Binder {
  readonly caches: BinderCaches;
  readonly isHostPathEnabled: boolean;
  readonly #options: BinderOptions;

  constructor(options: BinderOptions) {
    this.caches = options;
    this.isHostPathEnabled = options.isHostPathEnabled;
    this.#options = options;
  }

  /** Writes the volume unless it is the same object. Rejects with a conflict if it has changed since it was seen. */
  async updateVolume(before: PersistentVolume, volume: PersistentVolume): Promise<PersistentVolume> {
    if (volume === before) return volume;
    return this.#wroteVolume(await this.#client(PersistentVolume, volume).update(volume, this.#send()));
  }

  async updateVolumeStatus(before: PersistentVolume, volume: PersistentVolume): Promise<PersistentVolume> {
    if (volume === before) return volume;
    return this.#wroteVolume(await this.#client(PersistentVolume, volume).status.update(volume, this.#send()));
  }

  async createVolume(volume: PersistentVolume): Promise<PersistentVolume> {
    return this.#wroteVolume(await this.#client(PersistentVolume, volume).create(volume, this.#send()));
  }

  /** Deletes this volume, and none that replaced it. */
  async deleteVolume(volume: PersistentVolume): Promise<void> {
    const { name = '', uid = '' } = volume.metadata;
    await unlessGone(this.#client(PersistentVolume, volume).delete(name, { preconditions: { uid }, ...this.#send() }));
  }

  async updateClaim(before: PersistentVolumeClaim, claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    if (claim === before) return claim;
    return this.#wroteClaim(await this.#client(PersistentVolumeClaim, claim).update(claim, this.#send()));
  }

  async updateClaimStatus(before: PersistentVolumeClaim, claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    if (claim === before) return claim;
    return this.#wroteClaim(await this.#client(PersistentVolumeClaim, claim).status.update(claim, this.#send()));
  }

  /** Reads the latest state of a claim from the server. */
  async readClaim(key: string): Promise<PersistentVolumeClaim | undefined> {
    const { namespace, name } = splitObjectKey(key);
    return unlessGone(this.#client(PersistentVolumeClaim, { metadata: { namespace } }).get(name, this.#send()));
  }

  async readVolume(name: string): Promise<PersistentVolume | undefined> {
    return unlessGone(this.#client(PersistentVolume, { metadata: {} }).get(name, this.#send()));
  }

  record(object: TypedObject, event: PlannedEvent): void {
    recordEvents(this.#options.recorder, object, [event]);
  }

  enqueue({ metadata: { namespace, name = '' } }: TypedObject): void {
    this.#options.enqueue({ namespace, name });
  }

  #wroteVolume(volume: PersistentVolume): PersistentVolume {
    this.caches.volumes.wrote(volume);
    return volume;
  }

  #wroteClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
    this.caches.claims.wrote(claim);
    return claim;
  }

  #client<T extends TypedObject>(
    resource: ResourceType<T>,
    { metadata: { namespace } }: { readonly metadata: { readonly namespace?: string | undefined } },
  ) {
    const all = this.#options.client.resource(resource);
    return namespace === undefined ? all : all.namespace(namespace);
  }

  #send(): { readonly signal: AbortSignal } {
    return { signal: this.#options.signal };
  }
}
