export { createClusterRoleAggregationLoop } from './cluster-role-aggregation-loop.js';
