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

/** The errors of a schema's rules for an object, as `path: detail`. */
export function ruleErrors(schema: JsonObject, object: JsonObject, old?: JsonObject): string[] {
  const rules = schemaRuleCompiler.compile(compileSchema(schema));
  return rules === undefined ? [] : show(finish(rules.validate(object, old)));
}

/** Like {@link ruleErrors}, for an object that has only this `spec`. */
export function specRuleErrors(schema: JsonObject, spec: JsonValue, old?: JsonValue): string[] {
  return ruleErrors(schema, { spec }, old === undefined ? undefined : { spec: old });
}

/** The problems of a schema's rules, at the path `schema`. */
export function problems(schema: JsonObject, anyCost = false): string[] {
  return show(finish(schemaRuleCompiler.problems(compileSchema(schema), 'schema', { anyCost })));
}

export function show(errors: readonly FieldError[]): string[] {
  return errors.map((error) => `${error.field}: ${fieldErrorDetail(error)}`);
}
