export { ServiceCluster } from './service-cluster.js';
export { anyHistory, playHistory } from './service-history.js';
