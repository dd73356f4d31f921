export { type Amounts, type AmountTexts, amountsOf, excessOf, maximumOf, sumOf, textsOf } from './amounts.js';
export { countedResource, evaluatorOf, type QuotaEvaluator } from './evaluators.js';
export { podAmounts, podAmountsWithOverhead } from './pod-amounts.js';
export { countsForQuota, overdueAt, podComputeUsage } from './pod-usage.js';
export { isTerminating, matchesScopes, type ScopedQuota } from './scopes.js';
