import type { SchemaNode } from '../structural/index.js';
import { asResourceSchema } from './resource-schema.js';

export type DeclaredKind =
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'int'
  | 'list'
  | 'map'
  | 'object'
  | 'string'
  | 'timestamp';

/** The type of a schema's values for expressions, with its size limits. */
export interface DeclaredType {
  readonly kind: DeclaredKind;
  /** The bytes of the shortest value in JSON. */
  readonly minimumBytes: number;
  /** Bytes, items or entries of the largest value; 0 for values without a size. */
  readonly maximumSize: number;
  /** For an object: its properties by their schema names. */
  readonly properties?: ReadonlyMap<string, DeclaredType>;
  /** For a list its items, for a map its values. */
  readonly elements?: DeclaredType;
}

/** The largest request in bytes, which bounds every value. */
export const REQUEST_BYTES = 3 * 1024 * 1024;
/** A date or a duration, including its quotes. */
const DATE_BYTES = 12;
const DATE_TIME_BYTES = { minimum: 21, maximum: 32 };
const DURATION_BYTES = { minimum: 3, maximum: 32 };
const STRING_BYTES = { minimum: 2, maximum: REQUEST_BYTES - 2 };
/** Schemas limit code points and sizes count bytes; a code point takes at most this many. */
const CODE_POINT_BYTES = 4;

/**
 * The type of a schema's values; undefined if expressions cannot access them. `isResource`: apiVersion, kind and
 * metadata.name are always accessible. Upstream: apiserver `pkg/cel/common/schemas.go`, `pkg/cel/limits.go`.
 */
export function declaredType(schema: SchemaNode, isResource: boolean): DeclaredType | undefined {
  if (schema.intOrString) return { kind: 'dyn', minimumBytes: 1, maximumSize: longestText(schema) };
  switch (schema.type) {
    case 'array':
      return cached(schema, declaredList);
    case 'object':
      return cached(isResource ? asResourceSchema(schema) : schema, declaredObject);
    case 'string':
      return declaredString(schema);
    case 'boolean':
      return { kind: 'bool', minimumBytes: 4, maximumSize: 0 };
    case 'number':
      return { kind: 'double', minimumBytes: 1, maximumSize: 0 };
    case 'integer':
      return { kind: 'int', minimumBytes: 1, maximumSize: 0 };
    default:
      return undefined;
  }
}

/** Caches types of lists and objects, because every enclosing level with a rule or default needs them. */
const known = new WeakMap<SchemaNode, DeclaredType | undefined>();

function cached(
  schema: SchemaNode,
  declare: (schema: SchemaNode) => DeclaredType | undefined,
): DeclaredType | undefined {
  if (!known.has(schema)) known.set(schema, declare(schema));
  return known.get(schema);
}

function declaredList({ items, limits }: SchemaNode): DeclaredType | undefined {
  const elements = items && declaredType(items, items.embeddedResource);
  if (elements === undefined) return undefined;
  const most = Math.floor((REQUEST_BYTES - 2) / (elements.minimumBytes + 1));
  return { kind: 'list', minimumBytes: 2, maximumSize: limit(limits?.maxItems) ?? most, elements };
}

function declaredObject(schema: SchemaNode): DeclaredType | undefined {
  const { additionalProperties: values, limits } = schema;
  if (typeof values !== 'object') return declaredFields(schema);
  const elements = declaredType(values, values.embeddedResource);
  if (elements === undefined) return undefined;
  // A key of one or two characters with its quotes, a colon and a comma.
  const most = Math.floor((REQUEST_BYTES - 2) / (elements.minimumBytes + 6));
  return { kind: 'map', minimumBytes: 2, maximumSize: limit(limits?.maxProperties) ?? most, elements };
}

function declaredFields({ properties, required }: SchemaNode): DeclaredType {
  const isRequired = new Set(required);
  const declared = new Map<string, DeclaredType>();
  let minimumBytes = 2;
  for (const [name, property] of properties) {
    const type = declaredType(property, property.embeddedResource);
    if (type === undefined) continue;
    declared.set(name, type);
    if (isRequired.has(name) && property.default === undefined) {
      minimumBytes += Buffer.byteLength(name) + type.minimumBytes + 4;
    }
  }
  return { kind: 'object', minimumBytes, maximumSize: 0, properties: declared };
}

function declaredString(schema: SchemaNode): DeclaredType {
  switch (schema.limits?.format) {
    case 'byte':
      return {
        kind: 'bytes',
        minimumBytes: STRING_BYTES.minimum,
        maximumSize: limit(schema.limits.maxLength) ?? STRING_BYTES.maximum,
      };
    case 'duration':
      return { kind: 'duration', minimumBytes: DURATION_BYTES.minimum, maximumSize: DURATION_BYTES.maximum };
    case 'date':
      return { kind: 'timestamp', minimumBytes: DATE_BYTES, maximumSize: DATE_BYTES };
    case 'date-time':
      return { kind: 'timestamp', minimumBytes: DATE_TIME_BYTES.minimum, maximumSize: DATE_TIME_BYTES.maximum };
    default:
      return { kind: 'string', minimumBytes: STRING_BYTES.minimum, maximumSize: longestText(schema) };
  }
}

/** In bytes. Enumerated values count only if there is no length limit. */
function longestText({ limits, intOrString }: SchemaNode): number {
  const length = limit(limits?.maxLength);
  if (length !== undefined) return length * CODE_POINT_BYTES;
  const values = limits?.enum?.values ?? [];
  if (values.length === 0 || intOrString) return STRING_BYTES.maximum;
  return values.reduce<number>(
    (most, value) => (typeof value === 'string' ? Math.max(most, Buffer.byteLength(value)) : most),
    0,
  );
}

function limit(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(0, value);
}
