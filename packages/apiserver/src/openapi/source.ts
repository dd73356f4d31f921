import type { Steps } from '@binnacle/apimachinery/work';
import { definitionOfKind, publishedKinds, type ResourceFacts, schemaOf, type ServedSet } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { type Serializer, SERIALIZERS } from '@binnacle/apimachinery/serializer';

/** A resource in the documents: a row of the table, or one of the same shape. */
export type OpenApiResource = Pick<
  ResourceFacts,
  'group' | 'version' | 'kind' | 'resource' | 'definition' | 'namespaced' | 'verbs' | 'listKind' | 'subresources'
> & {
  /** Bodies are JSON or YAML, without strategic merge: custom resources. */
  readonly untyped?: true;
};

/** A kind with its own schema. */
export interface CustomType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Its schema as OpenAPI; undefined if there is nothing to publish. */
  readonly schema?: JsonObject | undefined;
  /** For a list: the kind of its items. */
  readonly items?: string;
  /** The fields of field selectors: `spec.mode`. */
  readonly selectableFields: readonly string[];
}

export interface OpenApiVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly OpenApiResource[];
  /** Increases when something in this version changes; absent: nothing ever changes. */
  readonly revision?: number;
  /** Made from definitions of custom resources: the document only has the paths of its resources. */
  readonly custom?: true;
}

/**
 * The content of the documents. It is unchanged as long as {@link revision} is; a version is unchanged as long as its
 * own revision is.
 */
export interface OpenApiSource {
  /** Increases with every change. */
  readonly revision: number;
  /** The media types of built-in resources. */
  readonly serializers: readonly Serializer[];
  versions(): readonly OpenApiVersion[];
  /** The name of the struct type of a kind; undefined where upstream publishes none. */
  definitionOf(kind: { readonly group: string; readonly version: string; readonly kind: string }): string | undefined;
  /** Throws for an unknown name. */
  schemaOf(definition: string): StructSchema;
  /** `group/version/kind` of every kind with this struct type. */
  publishedKinds(definition: string): readonly string[];
  /** The custom kind with that name; undefined for struct types. */
  customType?(definition: string): Steps<CustomType | undefined>;
  /** An immutable copy of the source for the time that documents are made. Absent: the source never changes. */
  snapshot?(): OpenApiSource;
}

/** The custom resources of a source. */
export type CustomOpenApiSource = Pick<OpenApiSource, 'revision' | 'versions' | 'definitionOf'> &
  Required<Pick<OpenApiSource, 'customType'>> & { snapshot(): CustomOpenApiSource };

/** Combines built-in and custom resources into one source. */
export function withCustomResources(source: OpenApiSource, custom: CustomOpenApiSource): OpenApiSource {
  return {
    get revision() {
      return source.revision + custom.revision;
    },
    serializers: source.serializers,
    versions: () => [...source.versions(), ...custom.versions()],
    definitionOf: (kind) => source.definitionOf(kind) ?? custom.definitionOf(kind),
    schemaOf: (definition) => source.schemaOf(definition),
    publishedKinds: (definition) => source.publishedKinds(definition),
    customType: (definition) => custom.customType(definition),
    snapshot: () => withCustomResources(source, custom.snapshot()),
  };
}

/** The built-in resources that a server serves. */
export function servedOpenApiSource(served: ServedSet, serializers = SERIALIZERS): OpenApiSource {
  const versions = served.groups.flatMap(({ group, versions: all }) =>
    all.map(({ version }) => ({
      group,
      version,
      resources: served.resources.filter((each) => each.group === group && each.version === version),
    })),
  );
  return {
    revision: 1,
    serializers,
    versions: () => versions,
    definitionOf: definitionOfKind,
    schemaOf,
    publishedKinds,
  };
}
