import { readFileSync } from 'node:fs';
import type { JsonValue } from '@binnacle/apimachinery/json';
import type { Union } from '@binnacle/apimachinery/schema';
import type { GroupFacts, ResourceFacts } from './resource-facts.js';

/** One field as types.json has it. What is absent is false or unknown. */
export interface FieldRow {
  readonly name: string;
  /** In the notation of `scripts/generate-api/go-types.mjs`; read by notation.ts. */
  readonly type: string;
  readonly required?: true;
  readonly pointer?: true;
  readonly omitEmpty?: true;
  readonly omitZero?: true;
  readonly default?: JsonValue;
  readonly enum?: readonly string[];
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  readonly protobuf?: number;
  readonly protobufWithin?: readonly number[];
  readonly goEmbedded?: string;
}

/** One struct type as types.json has it. */
export interface DefinitionRow {
  /** Not among the definitions of upstream's OpenAPI documents. */
  readonly unpublished?: true;
  readonly mapType?: 'atomic' | 'granular';
  readonly unions?: readonly Union[];
  /** `group/version/kind`, as OpenAPI lists them; the core group is empty. */
  readonly kinds?: readonly string[];
  readonly fields: readonly FieldRow[];
}

interface TypesFile {
  readonly kubernetes: string;
  readonly definitions: { readonly [name: string]: DefinitionRow };
}

/** A version that has kinds and no resource: a protocol of webhooks or discovery, or one that the release has retired. */
export interface OtherVersion {
  readonly group: string;
  readonly version: string;
  readonly definitionPrefix: string;
}

interface ResourcesFile {
  readonly groups: readonly GroupFacts[];
  readonly resources: readonly ResourceFacts[];
  readonly otherVersions: readonly OtherVersion[];
  /** What the definition names in unserved-types.json begin with, up to their last dot. */
  readonly unservedPackages: readonly string[];
}

/** The files are written by our generator and checked by its tests, so their shape is taken as given. */
function readGenerated(file: URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs `load` on the first call only. */
export function once<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined;
  return () => {
    loaded ??= { value: load() };
    return loaded.value;
  };
}

const typesFile = once(() => readGenerated(new URL('../../src/generated/types.json', import.meta.url)) as TypesFile);

export const loadResources = once(
  () => readGenerated(new URL('../../src/generated/resources.json', import.meta.url)) as ResourcesFile,
);

/** The struct types that a server needs whatever it serves, by definition name, sorted by it. */
export const loadDefinitions = once(
  (): ReadonlyMap<string, DefinitionRow> => new Map(Object.entries(typesFile().definitions)),
);

/** Those of kinds that no server of the release serves. Read by nobody who does not name one of their versions. */
const loadUnservedDefinitions = once((): ReadonlyMap<string, DefinitionRow> => {
  const file = readGenerated(new URL('../../src/generated/unserved-types.json', import.meta.url)) as TypesFile;
  return new Map(Object.entries(file.definitions));
});

const unservedPackages = once((): ReadonlySet<string> => new Set(loadResources().unservedPackages));

/** The row of a struct type, served or not; undefined for a name that the table does not have. */
export function definitionRow(definition: string): DefinitionRow | undefined {
  const row = loadDefinitions().get(definition);
  if (row !== undefined) return row;
  const inPackage = definition.slice(0, definition.lastIndexOf('.'));
  return unservedPackages().has(inPackage) ? loadUnservedDefinitions().get(definition) : undefined;
}

/** The Kubernetes release that the table was made from, e.g. `1.36`. */
export function kubernetesVersion(): string {
  return typesFile().kubernetes;
}
