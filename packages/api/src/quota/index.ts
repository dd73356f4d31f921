export { type Amounts, type AmountTexts, amountsOf, excessOf, sumOf, textsOf } from './amounts.js';
export { countedResource, evaluatorOf, type QuotaEvaluator } from './evaluators.js';
export {
  type ContainerAmounts,
  podAmounts,
  type PodAmountsSpec,
  type PodAmountsStatus,
  podAmountsWithOverhead,
} from './pod-amounts.js';
export { overdueAt, podComputeUsage } from './pod-usage.js';
export {
  isTerminating,
  matchedScopes,
  matchesScopes,
  type ScopedQuota,
  type ScopeRule,
  scopeRulesOf,
} from './scopes.js';
