export { Aggregator, type AggregatorOptions } from './aggregator.js';
export { Backends, type BackendsOptions, type ProxyIdentity } from './backends.js';
export { builtInServiceObjects } from './own-services.js';
