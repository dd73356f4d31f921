export { type NodeIdentity, type NodesOptions, runNodes } from './run-nodes.js';
