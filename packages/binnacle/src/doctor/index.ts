export { diagnose, type Finding } from './checks.js';
export { gatherFacts } from './gather.js';
export { reportOf } from './report.js';
