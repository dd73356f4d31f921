import { type ResourceFacts, type ServedSet, storedPrefix } from '@binnacle/api/table';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { type GroupResource, type KubernetesObject, parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import { Cacher, type FeedGate } from '../../cacher/index.js';
import { builtInVersions, type KindCodec, type StorageMediaType, type VersionSet } from '../../codec/index.js';
import type { ResourceMetrics } from '../../metrics/index.js';
import { ObjectStorage } from '../../storage/index.js';

/** One set of stored objects, which several groups and versions may serve, such as events. */
export interface StorageUnit {
  /** The group and resource that it is stored under. */
  readonly resource: GroupResource;
  readonly versions: VersionSet;
  readonly codecs: ReadonlyMap<string, KindCodec>;
  readonly storage: ObjectStorage;
  readonly cacher: Cacher;
}

export interface StorageUnitOptions {
  readonly kv: KV;
  /** Wraps the store for one resource; absent: `kv` serves all. */
  readonly storeOf?: ((resource: GroupResource, kv: KV) => KV) | undefined;
  /** The prefix of every key: `/registry/`. */
  readonly storagePrefix: string;
  /** The encoding of stored objects, except those that are always JSON. */
  readonly storageMediaType: StorageMediaType;
  readonly metrics: ResourceMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly selectableFields: (object: Readonly<KubernetesObject>) => Readonly<Record<string, string>>;
  readonly selectablePaths?: readonly string[] | undefined;
  /** Wraps the feed of a resource's cache; absent: the feed comes straight from the store. */
  readonly feedGate?: ((resource: GroupResource) => FeedGate) | undefined;
}

/** Builds the unit that stores `facts`. */
export function createStorageUnit(facts: ResourceFacts, options: StorageUnitOptions): StorageUnit {
  if (facts.etcdPrefix === undefined) throw new Error(`${facts.resource}.${facts.group} is not stored`);
  const { versions, codecs } = builtInVersions(facts, options);
  const { kv, storagePrefix, metrics, clock, random } = options;
  const resource = { group: facts.group, resource: facts.resource };
  const storage = new ObjectStorage({
    kv: options.storeOf?.(resource, kv) ?? kv,
    codec: versions,
    prefix: storedPrefix(facts, storagePrefix),
    observer: metrics.storage(resource),
  });
  const cacher = new Cacher({
    storage,
    waited: metrics.readWaits(resource),
    feedGate: options.feedGate?.(resource),
    clock,
    random,
  });
  return { resource, versions, codecs, storage, cacher };
}

/** The first served resource for each storage prefix, preferably in the group of the storage version. */
export function representativesOf(served: ServedSet): ReadonlyMap<string, ResourceFacts> {
  const chosen = new Map<string, ResourceFacts>();
  for (const facts of served.resources) {
    if (facts.etcdPrefix === undefined) continue;
    const known = chosen.get(facts.etcdPrefix);
    const storageGroup = parseGroupVersion(facts.storageVersion ?? '')?.group;
    if (known === undefined || (facts.group === storageGroup && known.group !== storageGroup)) {
      chosen.set(facts.etcdPrefix, facts);
    }
  }
  return chosen;
}
