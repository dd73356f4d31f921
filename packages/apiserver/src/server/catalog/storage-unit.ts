import { canConvert } from '@binnacle/api/conversion';
import { kindSchema, type ResourceFacts, resources, type ServedSet } from '@binnacle/api/table';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import {
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
  type KubernetesObject,
  parseGroupVersion,
} from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { KV } from '@binnacle/kv';
import { Cacher, type FeedGate } from '../../cacher/index.js';
import { BuiltInCodec, type KindCodec, type StorageMediaType, VersionSet } from '../../codec/index.js';
import type { ResourceMetrics } from '../../metrics/index.js';
import { ObjectStorage } from '../../storage/index.js';

/**
 * Groups that kube-apiserver always stores in JSON. Upstream: `pkg/controlplane/apiserver`, `aggregator.go` and
 * `apiextensions.go`.
 */
const JSON_GROUPS: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

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

/**
 * Builds the unit that stores `facts`. It reads every version in the table, served or not, and every retired version
 * that can be converted.
 */
export function createStorageUnit(facts: ResourceFacts, options: StorageUnitOptions): StorageUnit {
  const prefix = facts.etcdPrefix;
  if (prefix === undefined) throw new Error(`${facts.resource}.${facts.group} is not stored`);
  const codecs = new Map<string, KindCodec>();
  for (const other of resources()) {
    if (other.etcdPrefix !== prefix || other.kind !== facts.kind) continue;
    const codec = createCodec(other, options.clock);
    codecs.set(codec.apiVersion, codec);
  }
  const storageCodec = codecs.get(facts.storageVersion ?? '') ?? codecs.get(formatGroupVersion(facts));
  if (storageCodec === undefined) throw new Error(`${facts.resource}.${facts.group} has no version to be stored in`);
  const versions = new VersionSet({
    storage: storageCodec,
    versions: codecs,
    retired: (apiVersion) => retiredCodec(apiVersion, storageCodec.groupVersionKind, options.clock),
    selectableFields: options.selectableFields,
    selectablePaths: options.selectablePaths,
    mediaType: mediaTypeOf(facts.group, options.storageMediaType),
  });
  const { kv, storagePrefix, metrics, clock, random } = options;
  const resource = { group: facts.group, resource: facts.resource };
  const storage = new ObjectStorage({
    kv: options.storeOf?.(resource, kv) ?? kv,
    codec: versions,
    prefix: `${storagePrefix}${prefix}/`,
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

/** Made on demand, because almost no store has such a version, and its types take memory. */
function retiredCodec(apiVersion: string, stored: GroupVersionKind, clock: Clock): KindCodec | undefined {
  const groupVersion = parseGroupVersion(apiVersion);
  if (groupVersion === undefined) return undefined;
  const kind = { ...groupVersion, kind: stored.kind };
  return canConvert(kind, stored) ? createCodec(kind, clock) : undefined;
}

/** `clock` is for defaults that are the current time, which only stored kinds have. */
export function createCodec(kind: GroupVersionKind, clock?: Clock): KindCodec {
  const schema = kindSchema(kind);
  if (schema === undefined) throw new Error(`no schema for ${kind.kind} in ${formatGroupVersion(kind)}`);
  return new BuiltInCodec({ group: kind.group, version: kind.version, kind: kind.kind }, schema, clock);
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

/** The encoding of a group's stored objects; `wanted` is the configured one. */
function mediaTypeOf(group: string, wanted: StorageMediaType): StorageMediaType {
  return JSON_GROUPS.has(group) ? JSON_MEDIA_TYPE : wanted;
}
