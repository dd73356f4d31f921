export { createDisruptionLoop } from './disruption-loop.js';
