export { clustersDirectory } from './cluster-folder.js';
export { kubeconfigPaths } from './kubeconfig-file.js';
export { type ClusterParts, runCluster } from './run.js';
