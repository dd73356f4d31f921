import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import {
  ERRORS_MAXIMUM,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
} from '@binnacle/apimachinery/status';
import { flagOf, listed, named, textOf } from '@binnacle/apimachinery/structural';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import { listItemProblems, validateListType, validateMapType } from './collection-keywords.js';
import { validateRules } from './rule-keywords.js';

export const openApiTypes: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Flaws that a definition stored before a rule may keep. */
export interface SchemaOptions {
  readonly requireKnownTypes: boolean;
  readonly requireAtomicSetItems: boolean;
  readonly requireMapKeys: boolean;
}

/** About a millisecond of work. */
const SCHEMAS_PER_STEP = 200;

/** What a schema inherits from its position. */
interface Context {
  readonly options: SchemaOptions;
  readonly pace: Pace;
  /** Why no default is allowed here; undefined if one is. */
  readonly noDefault?: string | undefined;
  /** The schema is inside kind, apiVersion or metadata of a resource. */
  readonly insideMeta: boolean;
}

/**
 * The rules of individual keywords, at every level of a schema. Upstream: apiextensions
 * `ValidateCustomResourceDefinitionOpenAPISchema`.
 */
export function* validateKeywords(schema: JsonObject, path: string, options: SchemaOptions): Steps<FieldError[]> {
  return yield* validateLevel(schema, path, { options, pace: new Pace(SCHEMAS_PER_STEP), insideMeta: false }, true);
}

const typeFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function* validateLevel(schema: JsonObject, path: string, context: Context, isRoot: boolean): Steps<FieldError[]> {
  if (context.pace.endsStep()) yield;
  const errors = validateStandard(schema, path, context);
  if (flagOf(schema, 'uniqueItems')) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenField(`${path}.uniqueItems`, detail));
  }
  errors.push(...(yield* validateAdditional(schema, path, context)));
  const isResource = isRoot || flagOf(schema, 'x-kubernetes-embedded-resource');
  for (const [name, property] of named(schema, 'properties')) {
    const inMeta = isResource && typeFields.has(name);
    const below: Context = {
      ...context,
      insideMeta: context.insideMeta || inMeta,
      ...(isRoot && inMeta ? { noDefault: `in top-level ${name}` } : {}),
    };
    errors.push(...(yield* validateLevel(property, `${path}.properties[${name}]`, below, false)));
    if (errors.length >= ERRORS_MAXIMUM) break;
  }
  const not = getOwn(schema, 'not');
  if (isObject(not)) errors.push(...(yield* validateLevel(not, `${path}.not`, context, false)));
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, nested] of listed(schema, keyword).entries()) {
      errors.push(...(yield* validateLevel(nested, `${path}.${keyword}[${index}]`, context, false)));
      if (errors.length >= ERRORS_MAXIMUM) return errors;
    }
  }
  for (const keyword of ['definitions', 'dependencies']) {
    for (const [name, nested] of named(schema, keyword)) {
      errors.push(...(yield* validateLevel(nested, `${path}.${keyword}[${name}]`, context, false)));
      if (errors.length >= ERRORS_MAXIMUM) return errors;
    }
  }
  const items = getOwn(schema, 'items');
  if (isObject(items)) errors.push(...(yield* validateLevel(items, `${path}.items`, context, false)));
  for (const [index, item] of listed(schema, 'items').entries()) {
    errors.push(...(yield* validateLevel(item, `${path}.items[${index}]`, context, false)));
    if (errors.length >= ERRORS_MAXIMUM) return errors;
  }
  return [
    ...errors,
    ...validatePreserve(schema, path),
    ...validateMapType(schema, path),
    ...validateListType(schema, path, context.options.requireAtomicSetItems),
    ...(context.options.requireMapKeys ? listItemProblems(schema, path) : []),
    ...validateRules(schema, path),
  ];
}

function* validateAdditional(schema: JsonObject, path: string, context: Context): Steps<FieldError[]> {
  const additional = getOwn(schema, 'additionalProperties');
  if (additional === undefined) return [];
  const errors: FieldError[] = [];
  if (named(schema, 'properties').length > 0 && additional !== true) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  if (!isObject(additional)) return errors;
  const below = context.insideMeta
    ? { ...context, noDefault: 'inside additionalProperties applying to object metadata' }
    : context;
  return [...errors, ...(yield* validateLevel(additional, `${path}.additionalProperties`, below, false))];
}

/** Keywords that no definition may use. */
function validateStandard(schema: JsonObject, path: string, context: Context): FieldError[] {
  const errors: FieldError[] = [];
  const type = textOf(schema, 'type');
  if (context.options.requireKnownTypes && type !== '' && !openApiTypes.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, openApiTypes));
  }
  if (getOwn(schema, 'default') !== undefined && context.noDefault !== undefined) {
    errors.push(forbiddenField(`${path}.default`, `must not be set ${context.noDefault}`));
  }
  const unsupported = (keyword: string): void => {
    errors.push(forbiddenField(`${path}.${keyword}`, `${keyword} is not supported`));
  };
  if (textOf(schema, 'id') !== '') unsupported('id');
  if (getOwn(schema, 'additionalItems') !== undefined) unsupported('additionalItems');
  for (const keyword of ['patternProperties', 'definitions']) if (hasKeys(schema, keyword)) unsupported(keyword);
  if (getOwn(schema, 'dependencies') !== undefined) unsupported('dependencies');
  if (getOwn(schema, '$ref') !== undefined) unsupported('$ref');
  if (type === 'null') {
    errors.push(forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (listed(schema, 'items').length > 0) {
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (context.insideMeta && flagOf(schema, 'x-kubernetes-embedded-resource')) {
    const detail = 'must not be used inside of resource meta';
    errors.push(forbiddenField(`${path}.x-kubernetes-embedded-resource`, detail));
  }
  return errors;
}

function hasKeys(schema: JsonObject, keyword: string): boolean {
  const map = getOwn(schema, keyword);
  return isObject(map) && Object.keys(map).length > 0;
}

function validatePreserve(schema: JsonObject, path: string): FieldError[] {
  const keyword = 'x-kubernetes-preserve-unknown-fields';
  if (getOwn(schema, keyword) !== false) return [];
  return [invalidValue(`${path}.${keyword}`, false, 'must be true or undefined')];
}
