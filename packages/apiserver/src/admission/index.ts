export * from './plugins/index.js';
export type { AuthorizeExpression } from './authorize-expression.js';
export { type AdmissionObserver, type AdmissionRequest, AdmissionRun } from './chain.js';
export { dropDuplicateOwners } from './duplicate-owners.js';
export { InvocationRounds } from './invocation-rounds.js';
export * from './matching/index.js';
export type { ObjectVersions, VersionedResource } from './object-versions.js';
export {
  type AdmissionAttributes,
  type AdmissionPlugin,
  type AuditLevel,
  type Operation,
  pluginsFor,
  replaceObject,
} from './plugin.js';
export { Reinvocation } from './reinvocation.js';
export { requestDocument } from './request-document.js';
export { type EncodedObjects, type ObjectDocuments, RequestObjects } from './request-objects.js';
export { refusal } from './refuse.js';
export type { AdmissionSettings } from './settings.js';
