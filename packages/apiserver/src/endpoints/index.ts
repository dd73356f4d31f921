export { decodeObject, readObject } from './body/body.js';
export { type Document, readDocument } from './body/document.js';
export { MAXIMUM_BODY_BYTES } from './body/read-body.js';
export type { KindLookup } from './body/wrong-kind.js';
export { registryDeleteOptions } from './delete.js';
export type { ConnectOptions, FindEndpoint, ResourceEndpoint, SubresourceEndpoint, View } from './endpoint.js';
export { recordManager, setManagers } from './managers.js';
export type { NonStoredEndpoint } from './non-stored.js';
export { objectView, type PathRules } from './object-view.js';
export { viewVersions } from './object-versions.js';
export { endpointHandler, ResourceRouter } from './router.js';
export { type ScaleTarget, scaleView } from './scale-view.js';
export { tableOf } from './table.js';
export {
  plainAdmissionRun,
  type PlainAdmission,
  wipeSystemMetadata,
  type WriteRequest,
  writeScope,
} from './write-request.js';
