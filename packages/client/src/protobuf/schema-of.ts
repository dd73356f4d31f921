import { type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { StructSchema } from '@binnacle/apimachinery/schema';

/**
 * The schema of a kind; undefined if it is unknown. `kindSchema` of `@binnacle/api/table` has the built-in kinds, their lists, and kinds such as
 * Status.
 */
export type SchemaOf = (kind: GroupVersionKind) => StructSchema | undefined;

export function schemaNamed(apiVersion: string, kind: string, schemaOf: SchemaOf): StructSchema | undefined {
  const groupVersion = parseGroupVersion(apiVersion);
  return groupVersion === undefined ? undefined : schemaOf({ ...groupVersion, kind });
}
