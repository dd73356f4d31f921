export { ManualClock, settle } from './manual-clock.js';
