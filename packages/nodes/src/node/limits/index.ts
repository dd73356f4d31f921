export { MOST_NODES } from './most-nodes.js';
export {
  areOfOneNode,
  isOfProcessNode,
  localNodeAddress,
  localPodAddress,
  localServicePlace,
  MOST_PROCESS_NODES,
  processRange,
} from './process-addresses.js';
