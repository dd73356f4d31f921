export { createResourceQuotaLoop } from './resource-quota-loop.js';
