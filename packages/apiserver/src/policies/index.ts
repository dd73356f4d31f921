export { mutatingPolicies } from './mutating-plugin.js';
export type { ParameterSource, PolicySources } from './policy-sources.js';
export { RequestDocuments, type RequestDocumentsOptions } from './request-documents.js';
export { validatingPolicies } from './validating-plugin.js';
