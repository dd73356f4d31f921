import { storedPrefix } from '@binnacle/api/table';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@binnacle/api/types/apiextensions-v1';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import { formatGoValue, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { findFirst, parseJsonPath } from '@binnacle/apimachinery/jsonpath';
import { asJson, type GroupResource, type KubernetesObject } from '@binnacle/apimachinery/meta';
import { compileSchemaInSteps, type SchemaNode } from '@binnacle/apimachinery/structural';
import type { Steps } from '@binnacle/apimachinery/work';
import type { KV } from '@binnacle/kv';
import { Cacher, type FeedGate } from '../cacher/index.js';
import { ConvertedVersions, CustomCodec, CustomVersions } from '../codec/custom/index.js';
import type { DocumentMediaType, VersionSet } from '../codec/index.js';
import type { ResourceMetrics } from '../metrics/index.js';
import { ObjectStorage } from '../storage/index.js';
import { ConvertingStore } from './converting-store.js';
import { definitionName } from './definition-names.js';
import type { WebhookConverter } from './webhook-converter.js';

/** The storage behind the endpoint of a version. */
export interface Backing {
  readonly codec: CustomCodec;
  /** Its `storage` is the version of the objects that the registry handles. */
  readonly versions: VersionSet & { readonly storage: CustomCodec };
  readonly storage: ObjectStorage;
  readonly cacher: Cacher;
}

export interface BackingOptions {
  readonly kv: KV;
  /** Wraps the store for one resource; absent: `kv` serves all. */
  readonly storeOf?: ((resource: GroupResource, kv: KV) => KV) | undefined;
  /** The prefix of every key: `/registry/`. */
  readonly storagePrefix: string;
  /** The encoding of objects that are written. Reads accept JSON and CBOR. */
  readonly storageMediaType: DocumentMediaType;
  readonly metrics: ResourceMetrics;
  readonly clock: Clock;
  readonly random: Random;
  /** Wraps the feeds of a resource's caches; absent: they come straight from the store. */
  readonly feedGate?: ((resource: GroupResource) => FeedGate) | undefined;
}

/**
 * The backings of a definition, by version. Without a webhook, all versions share one cache of objects in the storage version. With a webhook, each
 * version has its own cache of converted objects, built on first use.
 */
export function createBackings(
  definition: CustomResourceDefinition,
  schemas: VersionSchemas,
  storageVersion: string,
  converter: WebhookConverter | undefined,
  options: BackingOptions,
): Map<string, Backing> {
  const versions = definition.spec.versions ?? [];
  const kv = options.storeOf?.(resourceOf(definition), options.kv) ?? options.kv;
  const codecs = new Map([...schemas].map(([version, schema]) => [version, createCodec(definition, version, schema)]));
  const stored = codecs.get(storageVersion);
  if (stored === undefined) return new Map();
  const byApiVersion = new Map([...codecs.values()].map((codec) => [codec.apiVersion, codec]));
  if (converter === undefined) {
    const set = new CustomVersions({
      storage: stored,
      versions: byApiVersion,
      storageMediaType: options.storageMediaType,
      ...selectionOf(versions),
    });
    const shared = { versions: set, ...createStorage(definition, set, kv, options) };
    return new Map([...codecs].map(([name, codec]) => [name, { codec, ...shared }]));
  }
  return new Map(
    versions.flatMap((version) => {
      const codec = codecs.get(version.name);
      if (codec === undefined) return [];
      const set = new ConvertedVersions({
        storage: codec,
        versions: byApiVersion,
        ...selectionOf([version]),
        convertTo: async (object, to) => {
          const [converted = {}] = await converter.convert([object], to.apiVersion);
          return to.decode(converted).object;
        },
      });
      const { storageMediaType: mediaType } = options;
      const converting = new ConvertingStore({ kv, codec, stored, mediaType, versions: byApiVersion, converter });
      return [
        [version.name, { codec, versions: set, ...createStorage(definition, set, converting, options) }] as const,
      ];
    }),
  );
}

function resourceOf({ spec }: CustomResourceDefinition): GroupResource {
  return { group: spec.group, resource: spec.names.plural };
}

function createStorage(
  definition: CustomResourceDefinition,
  codec: VersionSet,
  kv: KV,
  { storagePrefix, metrics, feedGate, clock, random }: BackingOptions,
): Pick<Backing, 'storage' | 'cacher'> {
  const resource = resourceOf(definition);
  const prefix = storedPrefix(resource, storagePrefix);
  const storage = new ObjectStorage({ kv, codec, prefix, observer: metrics.storage(resource) });
  const waited = metrics.readWaits(resource);
  return { storage, cacher: new Cacher({ storage, waited, feedGate: feedGate?.(resource), clock, random }) };
}

const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** The compiled schemas of a definition, by version. */
export type VersionSchemas = ReadonlyMap<string, SchemaNode>;

/** Compiles the schemas of all versions. They may be large. */
export function* compileVersions({ spec }: CustomResourceDefinition): Steps<VersionSchemas> {
  const schemas = new Map<string, SchemaNode>();
  for (const { name, schema } of spec.versions ?? []) {
    const document = schema?.openAPIV3Schema;
    schemas.set(name, yield* compileSchemaInSteps(isObject(document) ? document : anything));
  }
  return schemas;
}

function createCodec({ spec }: CustomResourceDefinition, version: string, schema: SchemaNode): CustomCodec {
  const kind = { group: spec.group, version, kind: spec.names.kind };
  return new CustomCodec({
    groupVersionKind: kind,
    schema,
    definition: definitionName(kind),
    preserveUnknownFields: spec.preserveUnknownFields === true,
  });
}

/** The paths of a version's selectable fields, without the leading dot. */
export function selectableNames({ selectableFields: fields }: CustomResourceDefinitionVersion): string[] {
  return (fields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, ''));
}

/** A path of plain names: its value can be read without decoding the rest. */
const PLAIN_PATH = /^[\w-]+(\.[\w-]+)*$/;

/** The selectable fields of all versions, which share one cache. */
function selectionOf(versions: readonly CustomResourceDefinitionVersion[]) {
  const names = versions.flatMap(selectableNames);
  const paths = new Map(names.map((name) => [name, parseJsonPath(`.${name}`)]));
  const selectableFields = (object: Readonly<KubernetesObject>): Record<string, string> => {
    const fields: Record<string, string> = {
      'metadata.name': object.metadata.name ?? '',
      'metadata.namespace': object.metadata.namespace ?? '',
    };
    for (const [name, path] of paths) {
      const value = findFirst(asJson(object), path);
      fields[name] = value === undefined || value === null ? '' : formatGoValue(value);
    }
    return fields;
  };
  const arePlain = names.every((name) => PLAIN_PATH.test(name));
  return {
    selectableFields,
    selectablePaths: arePlain ? ['metadata.name', 'metadata.namespace', ...names] : undefined,
  };
}
