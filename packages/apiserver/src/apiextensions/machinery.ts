/** The code that serves custom resources. It is large, so it loads with the first definition or OpenAPI document. */
export { CustomResource } from './custom-resource.js';
export { updateStatus } from './desired-status.js';
export { customOpenApiSource } from './open-api-source.js';
export { compileVersions } from './version-backing.js';
