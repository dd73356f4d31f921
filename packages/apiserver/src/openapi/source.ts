import type { Steps } from '@binnacle/apimachinery/work';
import { definitionOfKind, publishedKinds, type ResourceFacts, schemaOf, type ServedSet } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { type Serializer, SERIALIZERS } from '@binnacle/apimachinery/serializer';

/** A resource as the documents show it: a row of the table, or one of the same shape. */
export type OpenApiResource = Pick<
  ResourceFacts,
  'group' | 'version' | 'kind' | 'resource' | 'definition' | 'namespaced' | 'verbs' | 'listKind' | 'subresources'
> & {
  /** Bodies are JSON or YAML, and there is no strategic merge: custom resources. */
  readonly untyped?: true;
};

/** A kind that its own schema describes. */
export interface CustomType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** In the OpenAPI form of its definition; undefined when it says nothing that documents could show. */
  readonly schema?: JsonObject | undefined;
  /** For a list: the kind of its items. */
  readonly items?: string;
  /** By which fields objects can be selected: `spec.mode`. */
  readonly selectableFields: readonly string[];
}

export interface OpenApiVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly OpenApiResource[];
  /** Rises when something changes in this version; absent: nothing ever does. */
  readonly revision?: number;
  /** Made from definitions of custom resources: the document has no paths but those of its resources. */
  readonly custom?: true;
}

/** What the documents are made from. All of it stays the same as long as {@link revision} does, a version as long as its own does. */
export interface OpenApiSource {
  /** Rises with every change. */
  readonly revision: number;
  /** In which built-in resources are read and answered. */
  readonly serializers: readonly Serializer[];
  versions(): readonly OpenApiVersion[];
  /** Name of the struct type of a kind; undefined where upstream publishes none. */
  definitionOf(kind: { readonly group: string; readonly version: string; readonly kind: string }): string | undefined;
  /** Throws for an unknown name. */
  schemaOf(definition: string): StructSchema;
  /** `group/version/kind` of every kind that the struct type stands for. */
  publishedKinds(definition: string): readonly string[];
  /** The custom kind of that name; undefined for struct types. */
  customType?(definition: string): Steps<CustomType | undefined>;
  /** The source as it is now, which does not change while documents are made from it. Absent: it never changes. */
  snapshot?(): OpenApiSource;
}

/** The part of a source that custom resources are. */
export type CustomOpenApiSource = Pick<OpenApiSource, 'revision' | 'versions' | 'definitionOf'> &
  Required<Pick<OpenApiSource, 'customType'>> & { snapshot(): CustomOpenApiSource };

/** Built-in and custom resources as one source. */
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
