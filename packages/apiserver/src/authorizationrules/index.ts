export { parsePolicyFile } from './policy-file.js';
export { readAuthorizationConfiguration } from './read-configuration.js';
export type { LoadService } from './validate-webhook.js';
