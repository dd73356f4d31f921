export type {
  ClusterComponent,
  ComponentContext,
  Identity,
  OwnController,
  OwnControllerContext,
} from './components.js';
export { type ClusterFaults, type ClusterOptions, SimulatedCluster } from './simulated-cluster.js';
