export { unescapeFieldName } from './field-names.js';
export { schemaRuleCompiler } from './schema-rule-compiler.js';
