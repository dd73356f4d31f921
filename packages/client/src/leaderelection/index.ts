export { LeaderElector } from './leader-elector.js';
export type { LeaderElectionOptions } from './options.js';
export { LeadershipLostError } from './term.js';
