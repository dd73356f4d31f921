export { BodyTooLongError, readBody, readLines } from './body.js';
export { connect, type ConnectOptions } from './connect.js';
export type { Dial, Dialed } from './dial.js';
export {
  ConnectionError,
  type ConnectionStage,
  describeRequest,
  type Send,
  type SendOptions,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './exchange.js';
export type { TransportObserver } from './observe.js';
export { type TransportOptions, transportOver } from './transport-over.js';
export { parseWarnings, type Warning, type WarningHandler, warnOnce } from './warnings.js';
