import { type GroupVersionKind, parseGroupVersion } from '@binnacle/apimachinery/meta';
import type { StructSchema } from '@binnacle/apimachinery/schema';

/**
 * The schema of a kind; undefined for one that is not known. `kindSchema` of `@binnacle/api/table` knows the built-in ones, their lists, and
 * what servers answer beside them.
 */
export type SchemaOf = (kind: GroupVersionKind) => StructSchema | undefined;

export function schemaNamed(apiVersion: string, kind: string, schemaOf: SchemaOf): StructSchema | undefined {
  const groupVersion = parseGroupVersion(apiVersion);
  return groupVersion === undefined ? undefined : schemaOf({ ...groupVersion, kind });
}
