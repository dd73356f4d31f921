export { createReplicaSetLoop, createReplicationControllerLoop } from './replicas-loop.js';
