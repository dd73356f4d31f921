export { createServiceCidrLoop } from './service-cidr-loop.js';
