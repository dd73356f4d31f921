export type { RunningServer, ServerOptions } from './options.js';
export { startServer } from './start-server.js';
