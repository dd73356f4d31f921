export { type ComponentHealth, type ComponentProbe, standaloneServerComponents } from './component-statuses.js';
export { reviewEndpoints, type ReviewEndpointsOptions } from './review-endpoints.js';
export { type TokenIssuingOptions, tokenRequestHandler, type TokenRequestOptions } from './token-request.js';
