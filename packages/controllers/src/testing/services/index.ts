export { ServiceCluster } from './service-cluster.js';
export { anyFaults, anyHistory, playHistory } from './service-history.js';
