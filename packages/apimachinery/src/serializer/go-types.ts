import type { StructSchema, ValueSchema } from '../schema/index.js';

/** Go's name of a type in decoding errors: `int32`, `v1.PodSpec`, `[]v1.Container`, `map[string]string`. */
export function goTypeName(schema: ValueSchema): string {
  switch (schema.kind) {
    case 'struct':
      return structTypeName(schema.type);
    case 'list':
      return schema.goType ?? `[]${goTypeName(schema.items)}`;
    case 'map':
      return schema.goType ?? `map[string]${goTypeName(schema.values)}`;
    case 'bytes':
      return '[]uint8';
    default:
      return schema.goType;
  }
}

/** `v1.Pod` for `io.k8s.api.core.v1.Pod`: Go uses the last part of the package. */
function structTypeName(schema: StructSchema): string {
  if (schema.goType !== undefined) return schema.goType;
  const segments = schema.name.split('.');
  const packageName = segments[segments.length - 2];
  return packageName === undefined ? schema.goName : `${packageName}.${schema.goName}`;
}
