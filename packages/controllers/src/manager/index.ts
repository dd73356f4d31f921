export type { LoopSettings } from '../loop/index.js';
export { accountCredentials } from './account-credentials.js';
export { type Identity, type ManagerOptions, runLoops } from './run-loops.js';
