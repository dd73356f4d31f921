import { getOwn, isObject, type JsonObject } from '@binnacle/apimachinery/json';
import {
  ERRORS_MAXIMUM,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@binnacle/apimachinery/status';
import { flagOf, isFieldPathOf, listed, named, textOf, textsOf } from '@binnacle/apimachinery/structural';
import { errorsOfEach } from '@binnacle/apimachinery/validation';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import { repetitions } from '../common.js';

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
    ...validateListType(schema, path, context.options),
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

function validateMapType(schema: JsonObject, path: string): FieldError[] {
  const keyword = 'x-kubernetes-map-type';
  const mapType = textOf(schema, keyword);
  if (mapType === '') return [];
  const errors = requireType(schema, 'object', `must be object if ${keyword} is specified`, path);
  if (mapType === 'atomic' || mapType === 'granular') return errors;
  return [...errors, notSupported(`${path}.${keyword}`, mapType, ['atomic', 'granular'])];
}

function requireType(schema: JsonObject, wanted: string, detail: string, path: string): FieldError[] {
  const type = textOf(schema, 'type');
  if (type === wanted) return [];
  return [type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail)];
}

const LIST_TYPE = 'x-kubernetes-list-type';
const MAP_KEYS = 'x-kubernetes-list-map-keys';

function validateListType(schema: JsonObject, path: string, options: SchemaOptions): FieldError[] {
  const listType = textOf(schema, LIST_TYPE);
  const keys = textsOf(schema, MAP_KEYS);
  const errors: FieldError[] = [];
  if (listType !== '' && textOf(schema, 'type') !== 'array') {
    errors.push(...requireType(schema, 'array', `must be array if ${LIST_TYPE} is specified`, path));
  } else if (options.requireAtomicSetItems) {
    errors.push(...setItemProblems(schema, path));
  }
  if (listType !== '' && !['atomic', 'set', 'map'].includes(listType)) {
    errors.push(notSupported(`${path}.${LIST_TYPE}`, listType, ['atomic', 'set', 'map']));
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = `must be map if ${MAP_KEYS} is non-empty`;
    const place = `${path}.${LIST_TYPE}`;
    errors.push(listType === '' ? required(place, detail) : invalidValue(place, listType, detail));
  }
  return listType === 'map' ? [...errors, ...validateKeyedList(schema, keys, path)] : errors;
}

function validateKeyedList(schema: JsonObject, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const items = getOwn(schema, 'items');
  if (keys.length === 0) {
    errors.push(required(`${path}.${MAP_KEYS}`, `must not be empty if ${LIST_TYPE} is map`));
  }
  if (items === undefined) errors.push(required(`${path}.items`, `must have a schema if ${LIST_TYPE} is map`));
  if (!isObject(items)) return errors;
  const type = textOf(items, 'type');
  if (type !== 'object') {
    const detail = `must be object if parent array's ${LIST_TYPE} is map`;
    return [...errors, invalidValue(`${path}.items.type`, type, detail)];
  }
  const properties = new Map(named(items, 'properties'));
  const repeated = repetitions(keys);
  const ofKeys = errorsOfEach(keys, (key, index) => {
    const errors: FieldError[] = [];
    const property = properties.get(key);
    const place = `${path}.${MAP_KEYS}`;
    if (property === undefined) {
      errors.push(invalidValue(place, keys, 'entries must all be names of item properties'));
    } else if (['array', 'object'].includes(textOf(property, 'type'))) {
      const detail = `must be a scalar type if parent array's ${LIST_TYPE} is map`;
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, type, detail));
    }
    if (repeated.has(index)) {
      errors.push(invalidValue(place, keys, 'must not contain duplicate entries'));
    }
    return errors;
  });
  return [...errors, ...ofKeys];
}

/** A set item has one owner as a whole, so its schema must be a scalar or atomic. */
export function setItemProblems(schema: Readonly<JsonObject>, path: string): FieldError[] {
  const items = getOwn(schema, 'items');
  if (textOf(schema, LIST_TYPE) !== 'set' || !isObject(items)) return [];
  const shown = textOf(items, LIST_TYPE) || null;
  const detail = `must be atomic as item of a list with ${LIST_TYPE}=set`;
  switch (textOf(items, 'type')) {
    case 'array':
      return shown === null || shown === 'atomic' ? [] : [invalidValue(`${path}.items.${LIST_TYPE}`, shown, detail)];
    case 'object':
      return textOf(items, 'x-kubernetes-map-type') === 'atomic'
        ? []
        : [invalidValue(`${path}.items.x-kubernetes-map-type`, shown, detail)];
    default:
      return [];
  }
}

/** Items of sets and keyed lists must not be nullable, and their keys must be present. */
export function listItemProblems(schema: Readonly<JsonObject>, path: string): FieldError[] {
  const listType = textOf(schema, LIST_TYPE);
  const items = getOwn(schema, 'items');
  if ((listType !== 'set' && listType !== 'map') || !isObject(items)) return [];
  const errors: FieldError[] = [];
  if (flagOf(items, 'nullable')) {
    errors.push(forbiddenField(`${path}.items.nullable`, `cannot be nullable when ${LIST_TYPE} is ${listType}`));
  }
  if (listType !== 'map') return errors;
  const properties = new Map(named(items, 'properties'));
  const requiredFields = new Set(textsOf(items, 'required'));
  const ofKeys = errorsOfEach(textsOf(schema, MAP_KEYS), (key) => {
    const property = properties.get(key);
    if (property === undefined) return [];
    const errors: FieldError[] = [];
    const place = `${path}.items.properties[${key}]`;
    const why = `this property is in ${MAP_KEYS}, so it`;
    if (!requiredFields.has(key) && getOwn(property, 'default') === undefined) {
      errors.push(required(`${place}.default`, `${why} must have a default or be a required property`));
    }
    if (flagOf(property, 'nullable')) errors.push(forbiddenField(`${place}.nullable`, `${why} cannot be nullable`));
    return errors;
  });
  return [...errors, ...ofKeys];
}

const reasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** Checks rules as far as possible without compiling them. */
function validateRules(schema: JsonObject, path: string): FieldError[] {
  const rules = listed(schema, 'x-kubernetes-validations');
  return errorsOfEach(rules, (rule, index) => validateRule(rule, schema, `${path}.x-kubernetes-validations[${index}]`));
}

function validateRule(rule: JsonObject, schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const text = textOf(rule, 'rule').trim();
  const message = textOf(rule, 'message');
  if (text === '') {
    errors.push(required(`${path}.rule`, 'rule is not specified'));
  } else if (message !== '' && message.trim() === '') {
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (hasLineBreak(message.trim())) {
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  } else if (hasLineBreak(text) && message.trim() === '') {
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
  const expression = textOf(rule, 'messageExpression');
  if (expression !== '' && expression.trim() === '') {
    errors.push(required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  }
  const reason = getOwn(rule, 'reason');
  if (typeof reason === 'string' && !reasons.includes(reason)) {
    errors.push(notSupported(`${path}.reason`, reason, reasons));
  }
  return [...errors, ...validateRulePath(textOf(rule, 'fieldPath'), schema, `${path}.fieldPath`)];
}

function validateRulePath(fieldPath: string, schema: JsonObject, path: string): FieldError[] {
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  if (fieldPath.trim() === '') errors.push(invalidValue(path, fieldPath, 'must be non-empty if specified'));
  if (hasLineBreak(fieldPath)) errors.push(invalidValue(path, fieldPath, 'must not contain line breaks'));
  if (!isFieldPathOf(fieldPath, schema)) {
    errors.push(invalidValue(path, fieldPath, 'must be a valid path'));
  }
  return errors;
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
