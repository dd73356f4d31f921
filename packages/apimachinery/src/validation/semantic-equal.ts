import { type FieldSchema, isZeroScalar, type ValueSchema } from '../schema/index.js';

/** The type of two compared values, and whether the field is a pointer in Go. */
export type ComparedField = Pick<FieldSchema, 'value'> & Partial<Pick<FieldSchema, 'pointer'>>;

/**
 * Deep equality of JSON values that treats absent, null, `[]` and `{}` as equal, as upstream's semantic equality does. With
 * `field`, a pointer to an empty struct differs from an absent one, a zero that is not a pointer equals an absent one, as in
 * stored objects, and maps have the same keys. Upstream: apimachinery `equality.Semantic`.
 */
export function semanticEqual(a: unknown, b: unknown, field?: ComparedField): boolean {
  if (isPointer(field) && isAbsent(a) !== isAbsent(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    const items = below(field, 0);
    return a.length === b.length && a.every((item, index) => semanticEqual(item, b[index], items));
  }
  if (!isMap(a) || !isMap(b)) return a === b || (isEmpty(a, field) && isEmpty(b, field));
  if (field?.value.kind === 'map' && !haveSameKeys(a, b)) return false;
  // Unlike Object.keys, this allocates nothing.
  for (const key in a) if (!semanticEqual(a[key], ownValue(b, key), below(field, key))) return false;
  for (const key in b) if (!Object.hasOwn(a, key) && !isNothing(b[key], below(field, key))) return false;
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function haveSameKeys(a: Fields, b: Fields): boolean {
  let more = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key)) return false;
    more++;
  }
  for (const _ in b) more--;
  return more === 0;
}

function ownValue(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** Whether absence says the same. */
function isNothing(value: unknown, field: ComparedField | undefined): boolean {
  return isAbsent(value) || (!isPointer(field) && isEmpty(value, field));
}

/** Whether a value holds nothing. An object of empty values is empty; a list of them is not. */
function isEmpty(value: unknown, field: ComparedField | undefined): boolean {
  if (isAbsent(value)) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isMap(value)) return field !== undefined && field.pointer !== true && isZeroScalar(value, field.value);
  if (field?.value.kind === 'map') return haveSameKeys(value, {});
  for (const key in value) if (!isNothing(value[key], below(field, key))) return false;
  return true;
}

function isPointer(field: ComparedField | undefined): boolean {
  return field?.pointer === true && field.value.kind === 'struct';
}

/** What is below a value: a field of a struct, a value of a map or an item of a list. */
function below(field: ComparedField | undefined, key: string | number): ComparedField | undefined {
  const schema: ValueSchema | undefined = field?.value;
  switch (schema?.kind) {
    case 'struct':
      return schema.type.byName.get(String(key));
    case 'map':
      return { value: schema.values };
    case 'list':
      return { value: schema.items };
    default:
      return undefined;
  }
}
