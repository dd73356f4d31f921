export { forEachConcurrently } from './for-each-concurrently.js';
export { Pace } from './pace.js';
export { type Awaitable, finish, type Steps } from './steps.js';
export { WorkBudget, type WorkLimits } from './work-budget.js';
