export { createOpenApi, type OpenApi, type OpenApiOptions } from './openapi.js';
export {
  type CustomOpenApiSource,
  type CustomType,
  type OpenApiResource,
  type OpenApiSource,
  type OpenApiVersion,
  servedOpenApiSource,
  withCustomResources,
} from './source.js';
export type { RemoteOpenApi, RemoteV2, RemoteV3 } from './remote.js';
export { readRemoteV2 } from './remote-v2.js';
export { encodeOpenApiV2 } from './gnostic/gnostic-v2.js';
