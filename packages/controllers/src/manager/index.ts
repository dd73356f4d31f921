export { type Identity, type ManagerOptions, runLoops } from './run-loops.js';
