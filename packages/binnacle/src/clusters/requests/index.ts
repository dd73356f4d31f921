export { isClusterName } from './cluster-name.js';
export type { ClusterRequest, RequestOf } from './request.js';
