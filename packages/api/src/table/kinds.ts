import type { GroupVersion, GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { otherVersion, resourceOfKind, versionFacts } from './resources.js';
import type { ResourceFacts } from './resource-facts.js';
import { hasDefinition, schemaOf } from './schema.js';

const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** Its field numbers differ from those of v1. Every other v1beta1 kind has the same fields as in v1. */
const oldMetadataList = 'io.k8s.apimachinery.pkg.apis.meta.v1beta1.PartialObjectMetadataList';

/** Kinds that every group version has in addition to its own. Upstream: apimachinery `metav1.AddToGroupVersion`. */
const kindsOfEveryVersion: ReadonlySet<string> = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
]);

/** Kinds that belong to `v1` without a group. */
const unversionedKinds: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'List',
  'Status',
]);

const metaKinds: ReadonlySet<string> = new Set([
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
  'Table',
  'TableOptions',
]);

function prefixOf(groupVersion: GroupVersion): string | undefined {
  return (versionFacts(groupVersion) ?? otherVersion(groupVersion))?.definitionPrefix;
}

/** The definition name of a kind, including list kinds, kinds of subresources and protocol kinds such as Status. */
export function definitionOfKind(kind: GroupVersionKind): string | undefined {
  const resource = resourceOfKind(kind);
  if (resource !== undefined) return resource.definition;
  const { group, version } = kind;
  if (group === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1')) {
    if (version === 'v1beta1' && kind.kind === 'PartialObjectMetadataList') return oldMetadataList;
    return metaKinds.has(kind.kind) || kindsOfEveryVersion.has(kind.kind) ? `${metaPrefix}.${kind.kind}` : undefined;
  }
  const prefix = prefixOf(kind);
  if (prefix === undefined) return undefined;
  if (kindsOfEveryVersion.has(kind.kind)) return `${metaPrefix}.${kind.kind}`;
  if (group === '' && unversionedKinds.has(kind.kind)) return `${metaPrefix}.${kind.kind}`;
  const definition = `${prefix}.${kind.kind}`;
  return hasDefinition(definition) && isKind(schemaOf(definition)) ? definition : undefined;
}

/** A kind carries its own name: its first two fields are those of Go's TypeMeta. */
function isKind(schema: StructSchema): boolean {
  return schema.fields[0]?.name === 'kind' && schema.fields[1]?.name === 'apiVersion' && !schema.fields[0].required;
}

/** The struct type of a kind; undefined if the table lacks the kind. */
export function kindSchema(kind: GroupVersionKind): StructSchema | undefined {
  const definition = definitionOfKind(kind);
  return definition === undefined ? undefined : schemaOf(definition);
}

/** The struct type of a resource's lists; undefined if it cannot be listed. */
export function listSchema(resource: ResourceFacts): StructSchema | undefined {
  return resource.listKind === undefined ? undefined : kindSchema({ ...resource, kind: resource.listKind });
}
