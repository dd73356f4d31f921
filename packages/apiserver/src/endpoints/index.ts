export { decodeObject, type Document, MAXIMUM_BODY_BYTES, readDocument, readObject } from './body.js';
export type { KindLookup } from './wrong-kind.js';
export { registryDeleteOptions } from './delete.js';
export type { FindEndpoint, ResourceEndpoint, SubresourceEndpoint, View } from './endpoint.js';
export type { NonStoredEndpoint } from './non-stored.js';
export { objectView, type PathRules } from './object-view.js';
export { endpointHandler, ResourceRouter } from './router.js';
export { type ScaleTarget, scaleView } from './scale-view.js';
export { tableOf } from './table.js';
export {
  admissionRun,
  checkName,
  placeInNamespace,
  recordManager,
  wipeSystemMetadata,
  writeScope,
} from './write-support.js';
