import { schemaOf } from '../../table/index.js';
import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { type FieldError, forbiddenField, invalidValue } from '@binnacle/apimachinery/status';
import {
  compileSchemaInSteps,
  flagOf,
  type RuleCompiler,
  type SchemaNode,
  structuralProblemsInSteps,
  textOf,
  unsupportedKeyword,
  validateDefaults,
} from '@binnacle/apimachinery/structural';
import type { Steps } from '@binnacle/apimachinery/work';
import type { CustomResourceValidation } from '../../generated/types/apiextensions-v1.js';
import { type SchemaOptions, validateKeywords } from './schema-keywords.js';
import { usedKeywords, shownSchema } from './shown.js';

export interface ValidationOptions extends SchemaOptions {
  readonly requireStructural: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly rules?: RuleCompiler | undefined;
  /** Rules may exceed the cost limit, as those of an unchanged schema may. */
  readonly anyRuleCost?: boolean;
}

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The schema of one version or of all. Upstream: `validateCustomResourceDefinitionValidation`. */
export function* validateSchema(
  validation: CustomResourceValidation | undefined,
  hasStatus: boolean,
  path: string,
  options: ValidationOptions,
): Steps<FieldError[]> {
  const schema = validation?.openAPIV3Schema;
  if (!isObject(schema)) return [];
  const place = `${path}.openAPIV3Schema`;
  const errors = hasStatus ? validateRoot(schema, place) : [];
  if (flagOf(schema, 'nullable')) {
    errors.push(forbiddenField(`${place}.nullable`, 'nullable cannot be true at the root'));
  }
  const unsupported = options.requireStructural ? yield* unsupportedKeyword(schema) : undefined;
  let compiled: SchemaNode | undefined;
  if (options.requireStructural && unsupported === undefined) {
    yield;
    const problems = yield* structuralProblemsInSteps(schema, place);
    yield;
    if (problems.length === 0) {
      compiled = yield* compileSchemaInSteps(schema);
      yield;
      const { requirePrunedDefaults, rules } = options;
      const defaults = { objectMeta: schemaOf(OBJECT_META), requirePruned: requirePrunedDefaults, rules };
      problems.push(...(yield* validateDefaults(compiled, place, defaults)));
      if (problems.length > 0) compiled = undefined;
    }
    errors.push(...problems);
    yield;
  }
  const keywords = yield* validateKeywords(schema, place, options);
  errors.push(...keywords);
  yield;
  const { rules, anyRuleCost = false } = options;
  if (keywords.length === 0 && compiled?.hasRules === true && rules !== undefined) {
    errors.push(...(yield* rules.problems(compiled, place, { anyCost: anyRuleCost })));
  }
  // Keyword rules report the same problems with better messages, so this error applies only without theirs.
  return errors.length === 0 && unsupported !== undefined ? [invalidValue(place, '', unsupported)] : errors;
}

const allowedAtRoot: readonly string[] = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** With a status subresource, the status is validated apart from the rest, so the root allows few keywords. */
function validateRoot(schema: JsonObject, path: string): FieldError[] {
  const where = 'at the root of the schema if the status subresource is enabled';
  for (const keyword of usedKeywords(schema)) {
    const type = textOf(schema, 'type');
    if (keyword === 'Type' && type !== 'object') {
      return [invalidValue(`${path}.type`, type, `only "object" is allowed as the type ${where}`)];
    }
    if (allowedAtRoot.includes(keyword)) continue;
    const detail = `only [${allowedAtRoot.join(' ')}] fields are allowed ${where}`;
    return [invalidValue(path, shownSchema(schema), detail)];
  }
  return [];
}
