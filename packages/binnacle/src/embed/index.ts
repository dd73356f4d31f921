export { assemble } from './assemble.js';
export type { AuditBackend } from './audit-options.js';
export type { AuthenticationStartOptions } from './authentication-options.js';
export { makeCredentials, type ServerCredentials } from './credentials.js';
export { dataDirectoryLayout, defaultDataDirectory } from './data-directory.js';
export type { ClientConfig, RunningBinnacle, StartOptions } from './options.js';
export type { Parts } from './parts.js';
export { start, defaultParts } from './start.js';
export { StartError, type StartErrorCode } from './start-error.js';
