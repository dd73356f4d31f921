export { schemaRuleCompiler } from './schema-rule-compiler.js';
