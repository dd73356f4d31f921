export { type LoopCheck, ManagerStatus } from './manager-status.js';
