import type { JsonObject, JsonValue } from '../json/index.js';
import { type FieldError, invalidValue } from '../status/index.js';
import type { Steps } from '../work/index.js';
import type { SchemaNode } from './schema-node.js';

/** The compiled rules of a schema (`x-kubernetes-validations`). */
export interface SchemaRules {
  /**
   * The errors of the rules for an object; `old` is the object before an update. The object must be valid otherwise.
   * Never throws. Passes ratcheted errors, those of unchanged values, to `pass`.
   */
  validate(
    object: Readonly<JsonObject>,
    old: Readonly<JsonObject> | undefined,
    pass?: (error: FieldError) => void,
  ): Steps<FieldError[]>;
}

/** Hears of work on rules when it begins. Each method returns a function to call at the end. None may throw. */
export interface RuleObserver {
  /** The rules of one level of a schema, which is part of the first evaluation that needs them. */
  compiling(): () => void;
  /** The rules of a schema, for one object. */
  evaluating(): () => void;
}

/** Compiles the rules of schemas. */
export interface RuleCompiler {
  /** Undefined if the schema has no rules. */
  compile(schema: SchemaNode, observer?: RuleObserver): SchemaRules | undefined;
  /** The problems of the rules themselves; `path` is the schema's path in its definition. */
  problems(schema: SchemaNode, path: string, options?: RuleProblemOptions): Steps<FieldError[]>;
  /** Validates the defaults of one definition, which share the cost budget of one object. */
  defaultValidator(): DefaultValidator;
}

export interface RuleProblemOptions {
  /** For schemas accepted before: a single expression may exceed the cost limit. */
  readonly anyCost?: boolean;
}

/** The errors of the rules for a default. `isResource`: its schema is that of a whole or embedded object. */
export type DefaultValidator = (
  value: JsonValue,
  schema: SchemaNode,
  path: string,
  isResource: boolean,
) => Steps<FieldError[]>;

/** Errors after which failures of rules would be meaningless. Upstream: `hasBlockingErr`. */
const blocking: ReadonlySet<FieldError['type']> = new Set<FieldError['type']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** The error that replaces those of the rules if an object has such errors; undefined if the rules can be evaluated. */
export function rulesNotChecked(errors: readonly FieldError[]): FieldError | undefined {
  if (!errors.some(({ type }) => blocking.has(type))) return undefined;
  return invalidValue(
    '<nil>',
    null,
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  );
}
