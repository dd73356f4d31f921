export { MOST_NODES } from './most-nodes.js';
