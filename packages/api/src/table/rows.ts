import { readFileSync } from 'node:fs';
import type { JsonValue } from '@binnacle/apimachinery/json';
import type { Union } from '@binnacle/apimachinery/schema';
import type { GroupFacts, ResourceFacts } from './resource-facts.js';

/** One field in types.json. An absent member is false or unknown. */
export interface FieldRow {
  readonly name: string;
  /** In the notation of `scripts/generate-api/go-types.mjs`, which notation.ts parses. */
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

/** One struct type in types.json. */
export interface DefinitionRow {
  /** Upstream's OpenAPI documents omit it. */
  readonly unpublished?: true;
  readonly mapType?: 'atomic' | 'granular';
  readonly unions?: readonly Union[];
  /** `group/version/kind` as OpenAPI lists them, with an empty core group. */
  readonly kinds?: readonly string[];
  readonly fields: readonly FieldRow[];
}

interface TypesFile {
  readonly kubernetes: string;
  readonly definitions: { readonly [name: string]: DefinitionRow };
}

/** A version with kinds and no resource: a webhook or discovery protocol, or a retired version. */
export interface OtherVersion {
  readonly group: string;
  readonly version: string;
  readonly definitionPrefix: string;
}

interface ResourcesFile {
  readonly groups: readonly GroupFacts[];
  readonly resources: readonly ResourceFacts[];
  readonly otherVersions: readonly OtherVersion[];
  /** Prefixes, up to the last dot, of the definition names in unserved-types.json. */
  readonly unservedPackages: readonly string[];
}

/** Our generator writes the files and its tests check them, so their shape is trusted. */
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

/** The struct types that every server needs, by definition name, in order of name. */
export const loadDefinitions = once(
  (): ReadonlyMap<string, DefinitionRow> => new Map(Object.entries(typesFile().definitions)),
);

/**
 * Struct types of kinds that no server of the release serves. Loaded only when a client names one of their versions.
 */
const loadUnservedDefinitions = once((): ReadonlyMap<string, DefinitionRow> => {
  const file = readGenerated(new URL('../../src/generated/unserved-types.json', import.meta.url)) as TypesFile;
  return new Map(Object.entries(file.definitions));
});

const unservedPackages = once((): ReadonlySet<string> => new Set(loadResources().unservedPackages));

/** The row of a struct type, served or not; undefined if the table lacks the name. */
export function definitionRow(definition: string): DefinitionRow | undefined {
  const row = loadDefinitions().get(definition);
  if (row !== undefined) return row;
  const inPackage = definition.slice(0, definition.lastIndexOf('.'));
  return unservedPackages().has(inPackage) ? loadUnservedDefinitions().get(definition) : undefined;
}

/** The Kubernetes release of the table, e.g. `1.36`. */
export function kubernetesVersion(): string {
  return typesFile().kubernetes;
}
