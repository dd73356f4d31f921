export type { RunningServer, ServerOptions, ServiceAccountOptions } from './options.js';
export { startServer } from './start-server.js';
