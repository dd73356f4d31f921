export { createDaemonSetLoop } from './daemonset-loop.js';
