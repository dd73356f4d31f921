import { formatPath, getOwn, isObject, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import { type ObjectMeta, parseGroupVersion } from '../meta/index.js';
import type { StructSchema } from '../schema/index.js';
import { DecodeError, decodeTyped } from '../serializer/index.js';
import { type FieldError, invalidValue, required } from '../status/index.js';
import {
  errorsOfEach,
  errorsOfEntries,
  nameIsPathSegment,
  validateDns1035Label,
  validateObjectMeta,
} from '../validation/index.js';
import { fieldAt } from './problems.js';
import type { SchemaNode } from './schema-node.js';

export interface CoerceOptions {
  /** The type of metadata. */
  readonly objectMeta: StructSchema;
  /** Drop invalid content, as in stored objects. Otherwise it is an error. */
  readonly dropInvalid: boolean;
  /** Called for each unknown field of metadata. */
  readonly unknown?: (path: string) => void;
  /** The path of the value. Default: the object itself. */
  readonly path?: string;
}

/**
 * Decodes metadata, kind and apiVersion of embedded resources to their types, in place. Returns the first error.
 * Upstream: apiextensions `pkg/apiserver/schema/objectmeta`.
 */
export function coerceEmbeddedResources(
  value: JsonValue,
  schema: SchemaNode,
  options: CoerceOptions,
): FieldError | undefined {
  if (!schema.hasEmbeddedResources) return undefined;
  return coerce(value, schema, options.path ?? '', options);
}

function coerce(value: JsonValue, node: SchemaNode, path: string, options: CoerceOptions): FieldError | undefined {
  if (!node.hasEmbeddedResources) return undefined;
  if (Array.isArray(value)) {
    if (node.items === undefined) return undefined;
    for (const [index, item] of value.entries()) {
      const error = coerce(item, node.items, `${path}[${index}]`, options);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const key of Object.keys(value)) {
    const error =
      (node.embeddedResource ? coerceTypeField(value, key, path, options) : undefined) ??
      coerceField(value, key, node, path, options);
    if (error !== undefined) return error;
  }
  return undefined;
}

function coerceField(
  object: JsonObject,
  key: string,
  { properties, additionalProperties }: SchemaNode,
  path: string,
  options: CoerceOptions,
): FieldError | undefined {
  const value = getOwn(object, key);
  if (value === undefined) return undefined;
  const property = properties.get(key);
  if (property !== undefined) return coerce(value, property, child(path, key), options);
  if (typeof additionalProperties !== 'object') return undefined;
  return coerce(value, additionalProperties, `${path}[${key}]`, options);
}

function coerceTypeField(
  object: JsonObject,
  key: string,
  path: string,
  options: CoerceOptions,
): FieldError | undefined {
  const value = getOwn(object, key);
  if (key === 'apiVersion' || key === 'kind') {
    if (typeof value === 'string') return undefined;
    if (!options.dropInvalid) return invalidValue(child(path, key), value, 'must be a string');
    delete object[key];
  } else if (key === 'metadata') {
    const prefix = child(path, key);
    const result = readMetadata(value ?? null, options.objectMeta, options.dropInvalid);
    if (result.metadata === undefined) {
      return options.dropInvalid ? undefined : invalidValue(prefix, value, result.problem);
    }
    for (const field of result.unknown) options.unknown?.(`${prefix}.${field}`);
    setOwn(object, 'metadata', result.metadata);
  }
  return undefined;
}

export type MetadataRead =
  | { readonly metadata: JsonObject; readonly unknown: readonly string[] }
  | { readonly metadata: undefined; readonly problem: string };

/** Decodes metadata; with `dropInvalid`, drops invalid fields. */
export function readMetadata(value: JsonValue, schema: StructSchema, dropInvalid: boolean): MetadataRead {
  try {
    const { object, strictErrors } = decodeTyped(value, schema);
    return { metadata: object, unknown: unknownIn(strictErrors) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (!dropInvalid || !isObject(value)) return { metadata: undefined, problem: error.message };
  }
  const metadata: JsonObject = {};
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    const read = readMetadata({ [key]: getOwn(value, key) ?? null }, schema, false);
    if (read.metadata === undefined) continue;
    Object.assign(metadata, read.metadata);
    unknown.push(...read.unknown);
  }
  return { metadata, unknown };
}

function unknownIn(strictErrors: readonly string[]): string[] {
  return strictErrors.flatMap((text) => /^unknown field "(.*)"$/s.exec(text)?.[1] ?? []);
}

/** An embedded resource must have an apiVersion, a kind, and valid object metadata. */
export function validateEmbeddedResources(
  value: JsonValue,
  schema: SchemaNode,
  objectMeta: StructSchema,
  path = '',
): FieldError[] {
  if (!schema.hasEmbeddedResources) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return errorsOfEach(value, (item, index) =>
      validateEmbeddedResources(item, items, objectMeta, `${path}[${index}]`),
    );
  }
  if (!isObject(value)) return [];
  const errors = schema.embeddedResource ? validateResource(value, objectMeta, path) : [];
  const { properties, additionalProperties } = schema;
  const below = errorsOfEntries(value, (key, field = null) => {
    const property = properties.get(key);
    if (property !== undefined) return validateEmbeddedResources(field, property, objectMeta, child(path, key));
    if (typeof additionalProperties !== 'object') return [];
    return validateEmbeddedResources(field, additionalProperties, objectMeta, `${path}[${key}]`);
  });
  return [...errors, ...below];
}

/** The same rules for a resource that is not embedded. */
export function validateResource(object: JsonObject, objectMeta: StructSchema, path: string): FieldError[] {
  return [
    ...validateTypeText(getOwn(object, 'apiVersion'), child(path, 'apiVersion'), apiVersionProblem),
    ...validateTypeText(getOwn(object, 'kind'), child(path, 'kind'), kindProblem),
    ...validateMetadata(getOwn(object, 'metadata'), objectMeta, child(path, 'metadata')),
  ];
}

function validateTypeText(
  value: JsonValue | undefined,
  path: string,
  problemOf: (text: string) => string | undefined,
): FieldError[] {
  if (value === undefined) return [required(path, '')];
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  const problem = value === '' ? 'must not be empty' : problemOf(value);
  return problem === undefined ? [] : [invalidValue(path, value, problem)];
}

function apiVersionProblem(text: string): string | undefined {
  return parseGroupVersion(text) === undefined ? `unexpected GroupVersion string: ${text}` : undefined;
}

function kindProblem(text: string): string | undefined {
  const problems = validateDns1035Label(text.toLowerCase());
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(',')}`;
}

function validateMetadata(value: JsonValue | undefined, schema: StructSchema, path: string): FieldError[] {
  if (value === undefined) return [];
  const read = readMetadata(value, schema, false);
  if (read.metadata === undefined) return [invalidValue(path, value, read.problem)];
  const metadata = read.metadata as ObjectMeta;
  const named = (metadata.name ?? '') === '' ? { ...metadata, name: 'fakename' } : metadata;
  const namespaced = (metadata.namespace ?? '') !== '';
  return validateObjectMeta(named, { namespaced, validateName: nameIsPathSegment, path });
}

function child(path: string, key: string): string {
  return path === '' ? formatPath([key]) : fieldAt(path, key);
}
