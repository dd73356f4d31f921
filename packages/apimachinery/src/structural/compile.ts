import { getOwn, isObject, type JsonObject, type JsonValue, stringifyJson } from '../json/index.js';
import { finish, Pace, type Steps } from '../work/index.js';
import { EnumValues } from './enum-values.js';
import { isKnownFormat } from './formats.js';
import type { SchemaDocument, SchemaNode, ValidationRule, ValueLimits } from './schema-node.js';

const noProperties: ReadonlyMap<string, SchemaNode> = new Map();
const none: readonly never[] = [];

/** About a millisecond of work. */
const SCHEMAS_PER_STEP = 500;

/** Compiles a schema. Ignores content that no structural schema may have; see `structuralProblems`. */
export function compileSchema(schema: SchemaDocument): SchemaNode {
  return finish(compileSchemaInSteps(schema));
}

/** {@link compileSchema} in steps. */
export function* compileSchemaInSteps(schema: SchemaDocument): Steps<SchemaNode> {
  return yield* compile(schema, new Pace(SCHEMAS_PER_STEP));
}

function* compile(schema: SchemaDocument, pace: Pace): Steps<SchemaNode> {
  if (pace.endsStep()) yield;
  const properties = yield* compileProperties(getOwn(schema, 'properties'), pace);
  const additionalProperties = yield* compileAdditional(getOwn(schema, 'additionalProperties'), pace);
  const items = yield* compileChild(getOwn(schema, 'items'), pace);
  const defaultValue = getOwn(schema, 'default');
  const listType = textOf(schema, 'x-kubernetes-list-type');
  const embeddedResource = flagOf(schema, 'x-kubernetes-embedded-resource');
  const rules = rulesOf(schema);
  const children = [...properties.values()];
  if (items !== undefined) children.push(items);
  if (typeof additionalProperties === 'object') children.push(additionalProperties);
  return {
    type: textOf(schema, 'type'),
    nullable: flagOf(schema, 'nullable'),
    default: defaultValue === null ? undefined : defaultValue,
    defaultBytes: defaultValue === undefined ? 0 : Buffer.byteLength(stringifyJson(defaultValue)),
    properties,
    propertiesWithDefaults: [...properties].filter(
      ([, { hasDefaults, default: value }]) => hasDefaults || value !== undefined,
    ),
    additionalProperties,
    items,
    required: textsOf(schema, 'required'),
    embeddedResource,
    intOrString: flagOf(schema, 'x-kubernetes-int-or-string'),
    preserveUnknownFields: flagOf(schema, 'x-kubernetes-preserve-unknown-fields'),
    lists: listType === '' ? undefined : { type: listType, mapKeys: textsOf(schema, 'x-kubernetes-list-map-keys') },
    mapType: textOf(schema, 'x-kubernetes-map-type') || undefined,
    limits: yield* compileLimits(schema, pace),
    rules,
    hasDefaults: children.some((child) => child.hasDefaults || child.default !== undefined),
    hasKeyedLists: listType === 'set' || listType === 'map' || children.some((child) => child.hasKeyedLists),
    hasEmbeddedResources: embeddedResource || children.some((child) => child.hasEmbeddedResources),
    hasRules: rules.length > 0 || children.some((child) => child.hasRules),
  };
}

function* compileProperties(value: JsonValue | undefined, pace: Pace): Steps<ReadonlyMap<string, SchemaNode>> {
  if (!isObject(value)) return noProperties;
  const properties = new Map<string, SchemaNode>();
  for (const name of Object.keys(value)) {
    const child = yield* compileChild(getOwn(value, name), pace);
    if (child !== undefined) properties.set(name, child);
  }
  return properties.size === 0 ? noProperties : properties;
}

function* compileChild(value: JsonValue | undefined, pace: Pace): Steps<SchemaNode | undefined> {
  return isObject(value) ? yield* compile(value, pace) : undefined;
}

function* compileAdditional(value: JsonValue | undefined, pace: Pace): Steps<SchemaNode | boolean | undefined> {
  return typeof value === 'boolean' ? value : yield* compileChild(value, pace);
}

function* compileList(schema: JsonObject, name: string, pace: Pace): Steps<readonly SchemaNode[]> {
  const list = getOwn(schema, name);
  if (!Array.isArray(list)) return none;
  const nodes: SchemaNode[] = [];
  for (const item of list) {
    const node = yield* compileChild(item, pace);
    if (node !== undefined) nodes.push(node);
  }
  return nodes;
}

const limitKeywords: readonly string[] = [
  'format',
  'pattern',
  'maximum',
  'minimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'enum',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
];

function* compileLimits(schema: JsonObject, pace: Pace): Steps<ValueLimits | undefined> {
  if (limitKeywords.every((keyword) => getOwn(schema, keyword) === undefined)) return undefined;
  const values = getOwn(schema, 'enum');
  const allOf = yield* compileList(schema, 'allOf', pace);
  const anyOf = yield* compileList(schema, 'anyOf', pace);
  const oneOf = yield* compileList(schema, 'oneOf', pace);
  const not = yield* compileChild(getOwn(schema, 'not'), pace);
  return {
    format: effectiveFormat(schema),
    pattern: textOf(schema, 'pattern'),
    maximum: numberOf(schema, 'maximum'),
    exclusiveMaximum: flagOf(schema, 'exclusiveMaximum'),
    minimum: numberOf(schema, 'minimum'),
    exclusiveMinimum: flagOf(schema, 'exclusiveMinimum'),
    multipleOf: numberOf(schema, 'multipleOf'),
    maxLength: numberOf(schema, 'maxLength'),
    minLength: numberOf(schema, 'minLength'),
    maxItems: numberOf(schema, 'maxItems'),
    minItems: numberOf(schema, 'minItems'),
    maxProperties: numberOf(schema, 'maxProperties'),
    minProperties: numberOf(schema, 'minProperties'),
    enum: Array.isArray(values) && values.length > 0 ? new EnumValues(values) : undefined,
    allOf,
    anyOf,
    oneOf,
    not,
    hasAlternatives: allOf.length > 0 || anyOf.length > 0 || oneOf.length > 0 || not !== undefined,
  };
}

/** The format, if it is known for the type; others have no effect. */
function effectiveFormat(schema: JsonObject): string {
  const format = textOf(schema, 'format');
  const type = flagOf(schema, 'x-kubernetes-int-or-string') ? '' : textOf(schema, 'type');
  return isKnownFormat(format, type) ? format : '';
}

function rulesOf(schema: JsonObject): readonly ValidationRule[] {
  const rules = getOwn(schema, 'x-kubernetes-validations');
  if (!Array.isArray(rules) || rules.length === 0) return none;
  return rules.flatMap((rule) => {
    if (!isObject(rule)) return [];
    const optional = getOwn(rule, 'optionalOldSelf');
    return {
      rule: textOf(rule, 'rule'),
      message: textOf(rule, 'message'),
      messageExpression: textOf(rule, 'messageExpression'),
      reason: textOf(rule, 'reason'),
      fieldPath: textOf(rule, 'fieldPath'),
      optionalOldSelf: typeof optional === 'boolean' ? optional : undefined,
    };
  });
}

/** The string under a key; `''` if there is none. */
export function textOf(object: Readonly<JsonObject>, key: string): string {
  const value = getOwn(object, key);
  return typeof value === 'string' ? value : '';
}

/** Whether the value under a key is `true`. */
export function flagOf(object: Readonly<JsonObject>, key: string): boolean {
  return getOwn(object, key) === true;
}

/** The strings in the list under a key. */
export function textsOf(object: Readonly<JsonObject>, key: string): readonly string[] {
  const value = getOwn(object, key);
  return Array.isArray(value) && value.length > 0 ? value.filter((item) => typeof item === 'string') : none;
}

function numberOf(object: JsonObject, key: string): number | undefined {
  const value = getOwn(object, key);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
