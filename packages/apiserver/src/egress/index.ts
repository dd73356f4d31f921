export { Egress, EgressError } from './egress.js';
export { EgressAgent, PlainEgressAgent } from './egress-agents.js';
export { limitInterimAnswers } from './interim-answers.js';
