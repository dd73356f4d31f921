export * from './apply/index.js';
export * from './cache/index.js';
export * from './discovery/index.js';
export * from './dynamic/index.js';
export * from './kubeconfig/index.js';
export * from './rest/index.js';
export * from './transport/index.js';
