export { findFirst } from './find.js';
export { type JsonPath, JsonPathError, parseJsonPath } from './parse.js';
export type { SearchBudget } from './search-budget.js';
