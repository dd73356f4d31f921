export { decodeObject, type Document, type KindLookup, MAXIMUM_BODY_BYTES, readObject } from './body.js';
export { registryDeleteOptions } from './delete.js';
export type { ResourceEndpoint, SubresourceEndpoint, View } from './endpoint.js';
export { negotiateRepresentation, type Representation } from './negotiation.js';
export { respondDocument } from './representation.js';
export { ResourceRouter } from './router.js';
export { admissionRun, checkName, writeScope } from './write-support.js';
