export { Profile, type ProfileOptions } from './profile.js';
export {
  type Diagnosis,
  feasibleNodesToFind,
  type Outcome,
  schedule,
  type ScheduleOptions,
} from './schedule.js';
export { Filters } from './run-filters.js';
