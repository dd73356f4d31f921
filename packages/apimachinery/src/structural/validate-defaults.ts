import { deepCopy, deepEqual, isLarge, isObject, type JsonObject, type JsonValue, setOwn } from '../json/index.js';
import type { StructSchema } from '../schema/index.js';
import { ERRORS_MAXIMUM, type FieldError, formatFieldErrors, invalidValue } from '../status/index.js';
import {
  coerceEmbeddedResources,
  validateEmbeddedResources,
  validateResource,
  readMetadata,
} from './embedded-resources.js';
import { Pace, type Steps, WorkBudget } from '../work/index.js';
import { pruneUnknownFields } from './prune.js';
import type { DefaultValidator, RuleCompiler } from './rules.js';
import type { SchemaNode } from './schema-node.js';
import { validateValueInSteps } from './validate-value.js';

/** About a millisecond of work. */
const SCHEMAS_PER_STEP = 500;

export interface ValidateDefaultsOptions {
  /** The type of metadata. */
  readonly objectMeta: StructSchema;
  /** Whether a default must have only known fields. Definitions stored before this rule are exempt. */
  readonly requirePruned: boolean;
  readonly rules?: RuleCompiler | undefined;
}

interface Context extends Omit<ValidateDefaultsOptions, 'rules'> {
  readonly evaluateRules: DefaultValidator | undefined;
  /** The budget of all defaults together. */
  readonly budget: WorkBudget;
  readonly pace: Pace;
}

/** The path from the resource to one of its metadata fields; `undefined` is the first item of a list. */
type FieldSteps = readonly (string | undefined)[];

/**
 * Defaults must be valid. `path` is the schema's path in its definition. Upstream: apiextensions
 * `pkg/apiserver/schema/defaulting/validation.go`.
 */
export function* validateDefaults(
  schema: SchemaNode,
  path: string,
  options: ValidateDefaultsOptions,
): Steps<FieldError[]> {
  const { objectMeta, requirePruned, rules } = options;
  const context: Context = {
    objectMeta,
    requirePruned,
    evaluateRules: rules?.defaultValidator(),
    budget: new WorkBudget(),
    pace: new Pace(SCHEMAS_PER_STEP),
  };
  return yield* walk(schema, path, context, [], false, true);
}

function* walk(
  node: SchemaNode,
  path: string,
  context: Context,
  steps: FieldSteps,
  insideMeta: boolean,
  isRoot: boolean,
): Steps<FieldError[]> {
  if (context.pace.endsStep()) yield;
  const isResource = isRoot || node.embeddedResource;
  const within = isResource ? [] : steps;
  const inMeta = insideMeta && !isResource;
  const errors: FieldError[] = [];
  if (node.default !== undefined) {
    const place = `${path}.default`;
    errors.push(
      ...(inMeta
        ? yield* validateMetaDefault(node.default, node, within, place, context)
        : yield* validateDefault(node.default, node, isRoot, place, context)),
    );
  }
  if (!node.hasDefaults) return errors;
  // additionalProperties have no defaults.
  if (node.items !== undefined) {
    errors.push(...(yield* walk(node.items, `${path}.items`, context, [...within, undefined], inMeta, false)));
  }
  for (const [name, property] of node.properties) {
    const isMeta = inMeta || (isResource && (name === 'metadata' || name === 'apiVersion' || name === 'kind'));
    const place = `${path}.properties[${name}]`;
    errors.push(...(yield* walk(property, place, context, [...within, name], isMeta, false)));
    if (errors.length >= ERRORS_MAXIMUM) break;
  }
  return errors;
}

/** Each pass over a large default is a step. */
function* validateDefault(
  value: JsonValue,
  node: SchemaNode,
  isRoot: boolean,
  path: string,
  context: Context,
): Steps<FieldError[]> {
  const { objectMeta } = context;
  const errors: FieldError[] = [];
  const large = isLarge(value);
  if (context.requirePruned) {
    const pruned = deepCopy(value);
    if (large) yield;
    pruneUnknownFields(pruned, node, isRoot || node.embeddedResource);
    if (large) yield;
    if (!deepEqual(pruned, value)) errors.push(invalidValue(path, value, 'must not have unknown fields'));
  }
  const copy = deepCopy(value);
  if (large) yield;
  const unreadable = coerceEmbeddedResources(copy, node, { objectMeta, dropInvalid: false, path });
  if (unreadable !== undefined) return [...errors, unreadable];
  if (large) yield;
  const embedded = validateEmbeddedResources(value, node, objectMeta, path);
  if (embedded.length > 0) return [...errors, ...embedded];
  return [...errors, ...(yield* validateByRules(value, node, path, isRoot || node.embeddedResource, context))];
}

function* validateByRules(
  value: JsonValue,
  node: SchemaNode,
  path: string,
  isResource: boolean,
  context: Context,
): Steps<FieldError[]> {
  const errors = yield* validateValueInSteps(value, node, { base: path, budget: context.budget });
  if (errors.length > 0) return errors;
  const { evaluateRules } = context;
  return node.hasRules && evaluateRules !== undefined ? yield* evaluateRules(value, node, path, isResource) : [];
}

/** A default of a metadata field must result in valid metadata. */
function* validateMetaDefault(
  value: JsonValue,
  node: SchemaNode,
  steps: FieldSteps,
  path: string,
  context: Context,
): Steps<FieldError[]> {
  const object = wrap(value, steps);
  const metadata = object['metadata'];
  const problem = (text: string): FieldError[] => [invalidValue(path, value, `must result in valid metadata: ${text}`)];
  if (metadata !== undefined) {
    const read = readMetadata(metadata, context.objectMeta, false);
    if (read.metadata === undefined) {
      return problem(formatFieldErrors([invalidValue('metadata', metadata, read.problem)]));
    }
  }
  const errors = validateResource(object, context.objectMeta, '');
  return errors.length > 0
    ? problem(formatFieldErrors(errors))
    : yield* validateByRules(value, node, path, false, context);
}

/** A minimal resource with the value in its place. */
function wrap(value: JsonValue, steps: FieldSteps): JsonObject {
  let wrapped = deepCopy(value);
  for (const step of steps.toReversed()) {
    if (step === undefined) {
      wrapped = [wrapped];
    } else {
      const holder: JsonObject = {};
      setOwn(holder, step, wrapped);
      wrapped = holder;
    }
  }
  const object = isObject(wrapped) ? wrapped : {};
  return { kind: 'Validation', apiVersion: 'validation/v1', ...object };
}
