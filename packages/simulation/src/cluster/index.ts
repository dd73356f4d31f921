export type {
  ClusterComponent,
  ComponentContext,
  Identity,
  OwnController,
  OwnControllerContext,
} from './components.js';
export type { ClusterFaults, ClusterOptions } from './cluster-options.js';
export type { SimulatedCluster } from './simulated-cluster.js';
export { startCluster } from './start-cluster.js';
