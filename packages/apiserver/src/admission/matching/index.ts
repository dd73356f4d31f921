export { type MatchConstraints, type NamespaceLabels, RequestMatcher } from './matcher.js';
export type { RuleSubject } from './rules.js';
