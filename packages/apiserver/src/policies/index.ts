export { mutatingPolicies } from './mutating-plugin.js';
export type { PolicyCheck, PolicyObservation, PolicyObserver } from './observer.js';
export type { ParameterSource, PolicySources } from './policy-sources.js';
export { validatingPolicies } from './validating-plugin.js';
