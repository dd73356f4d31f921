export { scaleSelectorOf, statusStrategyOf, strategyOf, subresourceStrategyOf } from './lookup.js';
export { hasClusterIp, hasHealthCheckPort, hasNodePorts, nodePortsOf } from './service-fields.js';
