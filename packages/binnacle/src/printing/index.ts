export { inert } from './inert.js';
