import { definitionOfKind, publishedKinds, type ResourceFacts, schemaOf, type ServedSet } from '@binnacle/api/table';
import type { StructSchema } from '@binnacle/apimachinery/schema';

/** A resource as the documents show it: a row of the table, or one of the same shape. */
export type OpenApiResource = Pick<
  ResourceFacts,
  'group' | 'version' | 'kind' | 'resource' | 'definition' | 'namespaced' | 'verbs' | 'listKind' | 'subresources'
>;

export interface OpenApiVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly OpenApiResource[];
}

/** What the documents are made from. All of it stays the same as long as {@link revision} does. */
export interface OpenApiSource {
  /** Rises with every change. */
  readonly revision: number;
  versions(): readonly OpenApiVersion[];
  /** Name of the struct type of a kind; undefined where upstream publishes none. */
  definitionOf(kind: { readonly group: string; readonly version: string; readonly kind: string }): string | undefined;
  /** Throws for an unknown name. */
  schemaOf(definition: string): StructSchema;
  /** `group/version/kind` of every kind that the struct type stands for. */
  publishedKinds(definition: string): readonly string[];
}

/** The built-in resources that a server serves. */
export function servedOpenApiSource(served: ServedSet): OpenApiSource {
  const versions = served.groups.flatMap(({ group, versions: all }) =>
    all.map(({ version }) => ({
      group,
      version,
      resources: served.resources.filter((each) => each.group === group && each.version === version),
    })),
  );
  return { revision: 1, versions: () => versions, definitionOf: definitionOfKind, schemaOf, publishedKinds };
}
