export type { StorageMediaType } from '../codec/index.js';
export type { RunningServer, ServerOptions, ServiceAccountOptions } from './options.js';
export { startServer } from './start-server.js';
