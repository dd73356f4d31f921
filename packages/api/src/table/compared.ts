import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import type { FieldSchema, StructReference } from '@binnacle/apimachinery/schema';
import { kindSchema } from './kinds.js';
import { schemaOf } from './schema.js';

/** What a comparison knows of the type of two values; see `semanticEqual` of `apimachinery/validation`. */
export interface ComparedType {
  readonly value: StructReference;
}

/** The type with this definition name, such as `io.k8s.api.core.v1.PodSpec`. Throws for an unknown name. */
export function typeNamed(definition: string): ComparedType {
  return { value: { kind: 'struct', type: schemaOf(definition) } };
}

/** The type of a kind; undefined if the table lacks the kind. */
export function typeOfKind(kind: GroupVersionKind): ComparedType | undefined {
  const type = kindSchema(kind);
  return type && { value: { kind: 'struct', type } };
}

/** A field of a type. Throws for an unknown name. */
export function fieldNamed(definition: string, name: string): FieldSchema {
  const field = schemaOf(definition).byName.get(name);
  if (field === undefined) throw new Error(`${definition} has no field ${name}`);
  return field;
}
