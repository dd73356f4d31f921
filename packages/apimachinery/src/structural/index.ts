export { compileSchema, compileSchemaInSteps, flagOf, textOf, textsOf } from './compile.js';
export { Correlation, itemsByKey, keyOf } from './correlation.js';
export { applySchemaDefaults, pruneNulls } from './defaults.js';
export {
  type CoerceOptions,
  coerceEmbeddedResources,
  type MetadataRead,
  readMetadata,
  validateEmbeddedResources,
} from './embedded-resources.js';
export { dottedSteps, type ResolvedFieldPath, isFieldPathOf, resolveFieldPath, valueAt } from './field-path.js';
export { hasFormat, isKnownFormat, parseFormattedDuration } from './formats.js';
export { validateListItems } from './list-items.js';
export { pruneUnknownFields } from './prune.js';
export {
  type DefaultValidator,
  type RuleCompiler,
  type RuleObserver,
  type RuleProblemOptions,
  rulesNotChecked,
  type SchemaRules,
} from './rules.js';
export type { ListFacts, SchemaDocument, SchemaNode, ValidationRule, ValueLimits } from './schema-node.js';
export { type CustomKindSchema, structSchemaOf } from './struct-schema.js';
export {
  listed,
  named,
  structuralProblemsInSteps,
  unsupportedKeyword,
  yieldingSchemas,
} from './structural-problems.js';
export { validateDefaults, type ValidateDefaultsOptions } from './validate-defaults.js';
export { validateValue, validateValueInSteps, type ValidateValueOptions } from './validate-value.js';
