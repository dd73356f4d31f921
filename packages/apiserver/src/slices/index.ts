export { inSlices, Slices } from './in-slices.js';
