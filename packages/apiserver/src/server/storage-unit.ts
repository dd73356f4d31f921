import { canConvert } from '@binnacle/api/conversion';
import { kindSchema, type ResourceFacts, resources, type ServedSet } from '@binnacle/api/table';
import {
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
  type KubernetesObject,
  parseGroupVersion,
} from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv/interface';
import { Cacher, type FeedGate } from '../cacher/index.js';
import { BuiltInCodec, type KindCodec, type StorageMediaType, VersionSet } from '../codec/index.js';
import type { ResourceMetrics } from '../metrics/index.js';
import { ObjectStorage } from '../storage/index.js';
import { mediaTypeOf } from './storage-media-type.js';

/** One set of objects in the store, whatever groups and versions it is served in: events belong to two groups. */
export interface StorageUnit {
  /** In whose name it is stored. */
  readonly resource: GroupResource;
  readonly versions: VersionSet;
  readonly codecs: ReadonlyMap<string, KindCodec>;
  readonly storage: ObjectStorage;
  readonly cacher: Cacher;
}

export interface StorageUnitOptions {
  readonly kv: KV;
  /** What every key begins with: `/registry/`. */
  readonly storagePrefix: string;
  /** In which encoding objects are stored, but for those that are always stored in JSON. */
  readonly storageMediaType: StorageMediaType;
  readonly metrics: ResourceMetrics;
  readonly selectableFields: (object: Readonly<KubernetesObject>) => Readonly<Record<string, string>>;
  readonly selectablePaths?: readonly string[] | undefined;
  /** What the feed of a resource's cache passes through; absent: it comes straight from the store. */
  readonly feedGate?: ((resource: GroupResource) => FeedGate) | undefined;
}

/**
 * Builds the unit that `facts` is stored in. Every version that the table knows can be read, served or not, and so can
 * retired ones that conversion knows a way from.
 */
export function createStorageUnit(facts: ResourceFacts, options: StorageUnitOptions): StorageUnit {
  const prefix = facts.etcdPrefix;
  if (prefix === undefined) throw new Error(`${facts.resource}.${facts.group} is not stored`);
  const codecs = new Map<string, KindCodec>();
  for (const other of resources()) {
    if (other.etcdPrefix !== prefix || other.kind !== facts.kind) continue;
    const codec = createCodec(other);
    codecs.set(codec.apiVersion, codec);
  }
  const storageCodec = codecs.get(facts.storageVersion ?? '') ?? codecs.get(formatGroupVersion(facts));
  if (storageCodec === undefined) throw new Error(`${facts.resource}.${facts.group} has no version to be stored in`);
  const versions = new VersionSet({
    storage: storageCodec,
    versions: codecs,
    retired: (apiVersion) => retiredCodec(apiVersion, storageCodec.groupVersionKind),
    selectableFields: options.selectableFields,
    selectablePaths: options.selectablePaths,
    mediaType: mediaTypeOf(facts.group, options.storageMediaType),
  });
  const { kv, storagePrefix, metrics } = options;
  const resource = { group: facts.group, resource: facts.resource };
  const storage = new ObjectStorage({
    kv,
    codec: versions,
    prefix: `${storagePrefix}${prefix}/`,
    observer: metrics.storage(resource),
  });
  const cacher = new Cacher({
    storage,
    waited: metrics.readWaits(resource),
    feedGate: options.feedGate?.(resource),
  });
  return { resource, versions, codecs, storage, cacher };
}

/** Made when it is met: hardly any store holds such a version, and its types are in no server's memory until then. */
function retiredCodec(apiVersion: string, stored: GroupVersionKind): KindCodec | undefined {
  const groupVersion = parseGroupVersion(apiVersion);
  if (groupVersion === undefined) return undefined;
  const kind = { ...groupVersion, kind: stored.kind };
  return canConvert(kind, stored) ? createCodec(kind) : undefined;
}

export function createCodec(kind: GroupVersionKind): KindCodec {
  const schema = kindSchema(kind);
  if (schema === undefined) throw new Error(`no schema for ${kind.kind} in ${formatGroupVersion(kind)}`);
  return new BuiltInCodec({ group: kind.group, version: kind.version, kind: kind.kind }, schema);
}

/** The served resource that stands first for a storage prefix: in the storage version's group where that is served. */
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
