export { Egress, EgressError } from './egress.js';
export { EgressAgent } from './egress-agent.js';
