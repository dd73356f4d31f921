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
