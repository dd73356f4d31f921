import { canConvert } from '@binnacle/api/conversion';
import { kindSchema, type ResourceFacts, resources } from '@binnacle/api/table';
import type { Clock } from '@binnacle/apimachinery/clock';
import { formatGroupVersion, type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { BuiltInCodec } from './built-in-codec.js';
import type { KindCodec } from './kind-codec.js';
import type { StorageMediaType } from './storage-media-type.js';
import { VersionSet, type VersionSetOptions } from './version-set.js';

/**
 * Groups that kube-apiserver always stores in JSON. Upstream: `pkg/controlplane/apiserver`, `aggregator.go` and
 * `apiextensions.go`.
 */
const JSON_GROUPS: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

export interface BuiltInVersionsOptions extends Pick<VersionSetOptions, 'selectableFields' | 'selectablePaths'> {
  /** The encoding of stored objects, except those that are always JSON. */
  readonly storageMediaType: StorageMediaType;
  /** For defaults that are the current time. */
  readonly clock: Clock;
}

/**
 * The versions of a built-in kind around the one in which it is stored. They read every version in the table, served or not, and every
 * retired version that can be converted.
 */
export function builtInVersions(
  facts: ResourceFacts,
  { storageMediaType, clock, ...selection }: BuiltInVersionsOptions,
): { readonly versions: VersionSet; readonly codecs: ReadonlyMap<string, KindCodec> } {
  const codecs = new Map<string, KindCodec>();
  for (const other of resources()) {
    if (other.etcdPrefix !== facts.etcdPrefix || other.kind !== facts.kind) continue;
    const codec = createCodec(other, clock);
    codecs.set(codec.apiVersion, codec);
  }
  const storage = codecs.get(facts.storageVersion ?? '') ?? codecs.get(formatGroupVersion(facts));
  if (storage === undefined) throw new Error(`${facts.resource}.${facts.group} has no version to be stored in`);
  const versions = new VersionSet({
    storage,
    versions: codecs,
    retired: (apiVersion) => retiredCodec(apiVersion, storage.groupVersionKind, clock),
    ...selection,
    mediaType: JSON_GROUPS.has(facts.group) ? JSON_MEDIA_TYPE : storageMediaType,
  });
  return { versions, codecs };
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
