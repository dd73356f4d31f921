export { Pace } from './pace.js';
export { finish, type Steps } from './steps.js';
export { defaultWorkLimits, WorkBudget, type WorkLimits } from './work-budget.js';
