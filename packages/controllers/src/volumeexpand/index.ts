export { createVolumeExpandLoop } from './volume-expand-loop.js';
