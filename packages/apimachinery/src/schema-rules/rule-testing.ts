import type { JsonObject, JsonValue } from '../json/index.js';
import { type FieldError, fieldErrorDetail } from '../status/index.js';
import { compileSchema } from '../structural/index.js';
import { finish } from '../work/index.js';
import { schemaRuleCompiler } from './schema-rule-compiler.js';

/** A schema of an object whose `spec` has these properties and rules. */
export function specSchema(properties: JsonObject, ...rules: readonly (JsonObject | string)[]): JsonObject {
  const spec: JsonObject = { type: 'object', properties };
  if (rules.length > 0)
    spec['x-kubernetes-validations'] = rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  return { type: 'object', properties: { spec } };
}

/** What the rules of a schema hold against an object, each `path: detail`. */
export function ask(schema: JsonObject, object: JsonObject, old?: JsonObject): string[] {
  return show(schemaRuleCompiler.compile(compileSchema(schema))?.validate(object, old) ?? []);
}

/** The same for an object with just this `spec`. */
export function askSpec(schema: JsonObject, spec: JsonValue, old?: JsonValue): string[] {
  return ask(schema, { spec }, old === undefined ? undefined : { spec: old });
}

/** What is wrong with the rules of a schema at `schema`. */
export function problems(schema: JsonObject, anyCost = false): string[] {
  return show(finish(schemaRuleCompiler.problems(compileSchema(schema), 'schema', { anyCost })));
}

export function show(errors: readonly FieldError[]): string[] {
  return errors.map((error) => `${error.field}: ${fieldErrorDetail(error)}`);
}
