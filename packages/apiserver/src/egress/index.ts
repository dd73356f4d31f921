export { ALWAYS_DENIED } from './denied-networks.js';
export { Egress, EgressError } from './egress.js';
export { EgressAgent } from './egress-agent.js';
