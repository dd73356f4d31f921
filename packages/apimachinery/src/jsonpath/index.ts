export { findAll, findFirst } from './find.js';
export { type JsonPath, JsonPathError, parseJsonPath } from './parse.js';
export { type SearchBudget, VisitBudget } from './search-budget.js';
