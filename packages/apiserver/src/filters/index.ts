export { authentication } from './authentication.js';
export { attributesOf, authorization, forbiddenRequest } from './authorization.js';
export type { Clock } from './clock.js';
export { deadline, type DeadlineOptions } from './deadline.js';
export { createHandlerChain, type HandlerChainOptions } from './handler-chain.js';
export { type InFlightRequests, trackInFlight } from './in-flight.js';
export { isLongRunning } from './long-running.js';
export { requestInfo } from './request-info.js';
export { auditId, cacheControl } from './standard-headers.js';
