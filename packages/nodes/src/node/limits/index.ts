export { MOST_NODES } from './most-nodes.js';
export { localPodAddress, MOST_PROCESS_NODES, processRange } from './process-addresses.js';
