export { createJobLoop } from './job-loop.js';
