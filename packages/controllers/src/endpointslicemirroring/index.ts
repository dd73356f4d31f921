export { createEndpointSliceMirroringLoop } from './mirroring-loop.js';
