export { atRest } from './at-rest.js';
export type { NetworkFaults } from './faults.js';
export { Network, type NetworkClient, type NetworkOptions } from './network.js';
export type { RequestFacts } from './request-facts.js';
export { type LoggedRequest, RequestLog } from './request-log.js';
