export { createEndpointsLoop } from './endpoints-loop.js';
