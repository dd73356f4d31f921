import { getOwn, isObject, type JsonObject, type JsonValue } from '../json/index.js';
import {
  ERRORS_MAXIMUM,
  type FieldError,
  fieldErrorDetail,
  firstErrors,
  forbiddenField,
  invalidValue,
  required,
} from '../status/index.js';
import { finish, Pace, type Steps } from '../work/index.js';
import { flagOf, textOf } from './compile.js';
import { incompleteValidations } from './incomplete-validations.js';
import type { SchemaDocument } from './schema-node.js';
import { patternError } from './validate-scalar.js';

/** The position of a schema in its parent. */
type Level = 'root' | 'item' | 'field';

/**
 * Why a schema is not structural: all fields must be declared outside of allOf, anyOf, oneOf and not. `path` is the
 * schema's path in its definition. Sorted by text. Upstream: apiextensions `pkg/apiserver/schema/validation.go`.
 */
export function structuralProblems(schema: SchemaDocument, path: string): FieldError[] {
  return finish(structuralProblemsInSteps(schema, path));
}

/** About a millisecond of work. */
const SCHEMAS_PER_STEP = 200;

/** {@link structuralProblems} in steps. */
export function* structuralProblemsInSteps(schema: SchemaDocument, path: string): Steps<FieldError[]> {
  const pace = new Pace(SCHEMAS_PER_STEP);
  const errors = yield* checkNode(schema, 'root', path, pace);
  for (const error of yield* incompleteValidations(schema, path, pace)) errors.push(error);
  yield;
  // A key of a megabyte may be in the path of thousands of errors, so the text is bounded before it is built.
  const texts = firstErrors(errors).map((error) => ({ error, text: `${error.field}: ${fieldErrorDetail(error)}` }));
  texts.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return texts.map(({ error }) => error);
}

/** The message for a keyword that structural schemas cannot have. Upstream: `validateUnsupportedFields`. */
export function* unsupportedKeyword(schema: SchemaDocument): Steps<string | undefined> {
  for (const each of yieldingSchemas(schema)) {
    if (each === undefined) yield;
    else {
      const problem = ownUnsupportedKeyword(each);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** A schema and all schemas nested in it, outermost first. Yields undefined at the end of each step. */
export function* yieldingSchemas(root: SchemaDocument): Generator<SchemaDocument | undefined, void, undefined> {
  const pace = new Pace(SCHEMAS_PER_STEP);
  const open = [root];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    yield schema;
    const children = [...childSchemas(schema)];
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) open.push(child);
    }
    if (pace.endsStep()) yield undefined;
  }
}

function ownUnsupportedKeyword(schema: SchemaDocument): string | undefined {
  const unsupported = (name: string): string => `OpenAPIV3Schema '${name}' is not supported`;
  if (textOf(schema, 'id') !== '') return unsupported('id');
  if (textOf(schema, '$schema') !== '') return unsupported('schema');
  if (textOf(schema, '$ref') !== '') return unsupported('$ref');
  for (const name of ['patternProperties', 'dependencies']) if (hasKeys(getOwn(schema, name))) return unsupported(name);
  if (getOwn(schema, 'additionalItems') !== undefined) return unsupported('additionalItems');
  if (hasKeys(getOwn(schema, 'definitions'))) return unsupported('definitions');
  const items = getOwn(schema, 'items');
  if (Array.isArray(items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (getOwn(schema, 'x-kubernetes-preserve-unknown-fields') === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  return undefined;
}

function hasKeys(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

/** Every direct subschema of a schema. */
function* childSchemas(schema: SchemaDocument): Generator<JsonObject> {
  for (const keyword of ['items', 'not', 'additionalProperties', 'additionalItems'] as const) {
    const child = getOwn(schema, keyword);
    if (isObject(child)) yield child;
    if (Array.isArray(child)) for (const each of child) if (isObject(each)) yield each;
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) yield* listed(schema, keyword);
  for (const keyword of ['properties', 'patternProperties', 'definitions', 'dependencies'] as const) {
    for (const [, child] of named(schema, keyword)) yield child;
  }
}

/** The schemas in the list under a keyword. */
export function listed(schema: SchemaDocument, keyword: string): JsonObject[] {
  const list = getOwn(schema, keyword);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The schemas in the map under a keyword. */
export function named(schema: SchemaDocument, keyword: string): [string, JsonObject][] {
  const map = getOwn(schema, keyword);
  if (!isObject(map)) return [];
  return Object.keys(map).flatMap((name): [string, JsonObject][] => {
    const child = getOwn(map, name);
    return isObject(child) ? [[name, child]] : [];
  });
}

function* checkNode(schema: SchemaDocument, level: Level, path: string, pace: Pace): Steps<FieldError[]> {
  if (pace.endsStep()) yield;
  const errors: FieldError[] = [];
  const type = textOf(schema, 'type');
  const items = getOwn(schema, 'items');
  if (type === 'array' && items === undefined) errors.push(required(`${path}.items`, 'must be specified'));
  if (isObject(items)) errors.push(...(yield* checkNode(items, 'item', `${path}.items`, pace)));
  for (const [name, property] of named(schema, 'properties')) {
    errors.push(...(yield* checkNode(property, 'field', `${path}.properties[${name}]`, pace)));
    if (errors.length >= ERRORS_MAXIMUM) break;
  }
  const additional = getOwn(schema, 'additionalProperties');
  if (additional !== undefined && level === 'root') {
    errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (isObject(additional))
    errors.push(...(yield* checkNode(additional, 'field', `${path}.additionalProperties`, pace)));
  errors.push(...checkIntOrString(schema, path));
  errors.push(...(yield* checkValidation(schema, level, path, true, pace)));
  errors.push(...checkType(schema, level, path));
  errors.push(...checkMetadata(schema, level, path));
  const embedded = flagOf(schema, 'x-kubernetes-embedded-resource');
  if (embedded && additional !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  if (embedded && !flagOf(schema, 'x-kubernetes-preserve-unknown-fields') && !hasKeys(getOwn(schema, 'properties'))) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, detail));
  }
  return errors;
}

function checkIntOrString(schema: SchemaDocument, path: string): FieldError[] {
  if (!flagOf(schema, 'x-kubernetes-int-or-string')) return [];
  const others = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'];
  return others
    .filter((other) => flagOf(schema, other))
    .map((other) => invalidValue(`${path}.${other}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkType(schema: SchemaDocument, level: Level, path: string): FieldError[] {
  const type = textOf(schema, 'type');
  const errors: FieldError[] = [];
  const free = flagOf(schema, 'x-kubernetes-int-or-string') || flagOf(schema, 'x-kubernetes-preserve-unknown-fields');
  if (flagOf(schema, 'x-kubernetes-embedded-resource') && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail));
  } else if (type === '' && !free) {
    errors.push(required(`${path}.type`, emptyType[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  }
  return errors;
}

/** A schema may restrict only the name in metadata. */
function checkMetadata(schema: SchemaDocument, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const isResource = level === 'root' || flagOf(schema, 'x-kubernetes-embedded-resource');
  for (const [name, property] of named(schema, 'properties')) {
    const place = `${path}.properties[${name}]`;
    const type = textOf(property, 'type');
    if ((name === 'kind' || name === 'apiVersion') && isResource && type !== 'string') {
      errors.push(invalidValue(`${place}.type`, type, 'must be string'));
    }
    if (name !== 'metadata') continue;
    if (isResource && type !== 'object') errors.push(invalidValue(`${place}.type`, type, 'must be object'));
    if (level === 'root' && !restrictsNamesAlone(property)) {
      const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
      errors.push(forbiddenField(place, detail));
    }
  }
  return errors;
}

function restrictsNamesAlone(metadata: JsonObject): boolean {
  for (const [keyword, value] of Object.entries(metadata)) {
    if (keyword === 'type' || keyword === 'default' || value === undefined) continue;
    if (keyword !== 'properties') return false;
    if (!isObject(value) || Object.keys(value).some((name) => name !== 'name' && name !== 'generateName')) return false;
  }
  return true;
}

/** `isNode`: the schema's own allOf etc., which may use the two forms of int-or-string. */
function* checkValidation(
  schema: SchemaDocument,
  level: Level,
  path: string,
  isNode: boolean,
  pace: Pace,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  const hasTwoForms = isNode && isIntOrStringPattern(listed(schema, 'anyOf'));
  for (const keyword of hasTwoForms ? ['allOf', 'oneOf'] : ['anyOf', 'allOf', 'oneOf']) {
    for (const [index, nested] of listed(schema, keyword).entries()) {
      const skipAnyOf = isNode && keyword === 'allOf' && index === 0 && isIntOrStringPattern(listed(nested, 'anyOf'));
      errors.push(...(yield* checkNested(nested, level, `${path}.${keyword}[${index}]`, pace, skipAnyOf)));
      if (errors.length >= ERRORS_MAXIMUM) return errors;
    }
  }
  const not = getOwn(schema, 'not');
  if (isObject(not)) errors.push(...(yield* checkNested(not, level, `${path}.not`, pace)));
  return [...errors, ...checkPattern(schema, path)];
}

function checkPattern(schema: SchemaDocument, path: string): FieldError[] {
  const pattern = textOf(schema, 'pattern');
  const problem = pattern === '' ? undefined : patternError(pattern);
  if (problem === undefined) return [];
  return [invalidValue(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`)];
}

/** Exactly `- type: integer` and `- type: string`. */
function isIntOrStringPattern(schemas: readonly JsonObject[]): boolean {
  const expected = ['integer', 'string'];
  return (
    schemas.length === 2 &&
    schemas.every((schema, index) => Object.keys(schema).length === 1 && schema['type'] === expected[index])
  );
}

/** Keywords that a nested schema may not have, and the rest of their message. */
const forbidden: readonly (readonly [keyword: string, detail: string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function* checkNested(
  schema: JsonObject,
  level: Level,
  path: string,
  pace: Pace,
  skipAnyOf = false,
): Steps<FieldError[]> {
  if (pace.endsStep()) yield;
  const checked = skipAnyOf ? { ...schema, anyOf: undefined } : schema;
  const errors = yield* checkValidation(checked, level, path, false, pace);
  const items = getOwn(schema, 'items');
  if (isObject(items)) errors.push(...(yield* checkNested(items, level, `${path}.items`, pace)));
  for (const [name, property] of named(schema, 'properties')) {
    errors.push(...(yield* checkNested(property, 'field', `${path}.properties[${name}]`, pace)));
    if (errors.length >= ERRORS_MAXIMUM) return errors;
  }
  for (const [keyword, detail] of forbidden) {
    if (isSet(getOwn(schema, keyword))) errors.push(forbiddenField(`${path}.${keyword}`, detail));
  }
  if (named(schema, 'properties').some(([name]) => name === 'metadata')) {
    errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return errors;
}

/** Whether a keyword has a value: false, empty and absent are equal. */
function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}
