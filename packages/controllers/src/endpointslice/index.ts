export { createEndpointSliceLoop } from './endpoint-slice-loop.js';
