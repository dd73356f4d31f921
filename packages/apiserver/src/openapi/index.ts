export { createOpenApi, type OpenApi, type OpenApiOptions } from './openapi.js';
export { type OpenApiResource, type OpenApiSource, type OpenApiVersion, servedOpenApiSource } from './source.js';
