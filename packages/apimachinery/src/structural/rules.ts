import type { JsonObject, JsonValue } from '../json/index.js';
import { type FieldError, invalidValue } from '../status/index.js';
import type { Steps } from '../work/index.js';
import type { SchemaNode } from './schema-node.js';

/** The rules of one schema, compiled: what `x-kubernetes-validations` ask of its objects. */
export interface SchemaRules {
  /**
   * What the rules hold against an object; `old` is the object before an update. Called with objects that are valid by
   * everything else. Never throws. `pass` is given what is let pass because it has not changed.
   */
  validate(
    object: Readonly<JsonObject>,
    old: Readonly<JsonObject> | undefined,
    pass?: (error: FieldError) => void,
  ): FieldError[];
}

/** Turns a schema's rules into something that can be asked. */
export interface RuleCompiler {
  /** Undefined when the schema has no rules. */
  compile(schema: SchemaNode): SchemaRules | undefined;
  /** What is wrong with the rules themselves; `path` is the schema's place in its definition. */
  problems(schema: SchemaNode, path: string, options?: RuleProblemOptions): Steps<FieldError[]>;
  /** For the defaults of one definition, which together may cost what one object may. */
  defaultValidator(): DefaultValidator;
}

export interface RuleProblemOptions {
  /** For schemas that have been accepted before: what a single expression may cost is not held against them. */
  readonly anyCost?: boolean;
}

/** What the rules hold against a default. `isResource`: its schema is that of a whole object, or of an embedded one. */
export type DefaultValidator = (
  value: JsonValue,
  schema: SchemaNode,
  path: string,
  isResource: boolean,
) => FieldError[];

/** Errors after which the rules could fail in ways that say nothing. Upstream: `hasBlockingErr`. */
const blocking: ReadonlySet<FieldError['type']> = new Set<FieldError['type']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** The error that stands for the rules of an object with such errors; undefined when the rules can be asked. */
export function rulesNotChecked(errors: readonly FieldError[]): FieldError | undefined {
  if (!errors.some(({ type }) => blocking.has(type))) return undefined;
  return invalidValue(
    '<nil>',
    null,
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  );
}
