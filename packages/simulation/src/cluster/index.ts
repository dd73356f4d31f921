export type {
  ClusterComponent,
  ComponentContext,
  Identity,
  OwnController,
  OwnControllerContext,
} from './components.js';
export type { ClusterFaults, ClusterOptions } from './cluster-options.js';
export { SimulatedCluster } from './simulated-cluster.js';
