export type {
  Exchange,
  PeerCertificate,
  PiecewiseBody,
  ProtocolUpgrade,
  ResponseHeaders,
  ResponseStream,
  WebSocketMessages,
  WebSocketUpgrade,
} from './exchange.js';
export type { AuditAnnotation, AuditContext } from './audit-context.js';
export { type Filter, type FlowDecision, type Handler, RequestContext } from './request-context.js';
export { RequestTrace, type TraceStep } from './request-trace.js';
export type { EventRevisions, WatchCut, WatchCutEnd } from './watch-cut.js';
export {
  type DeleteOptions,
  type DeleteOptionsBody,
  IGNORE_READ_ERROR,
  refuseUnsafe,
  unsafeError,
  deleteOptionsFrom,
  type PropagationPolicy,
} from './delete-options.js';
export { checkListOptions, decodeListOptions, type ListOptions } from './list-options.js';
export { parseRequestInfo } from './parse-request-info.js';
export { parseTarget, type RequestTarget } from './path.js';
export { deleteOptionsDocument, writeOptionsDocument } from './options-document.js';
export { integerParameter, parseBoolean, parseInt64 } from './query-values.js';
export { type GetOptions, type IncludeObject, parseGetOptions, parseTableOptions } from './read-options.js';
export { type HistoryPoint, parseHistoryPoint } from './history-point.js';
export { HISTORY_PATH, pathBehind, type RequestInfo, withPathBehind } from './request-info.js';
export {
  ANY,
  demandOfList,
  NEWEST,
  parseResourceVersion,
  demandOfGet,
  presentDemandOf,
  type PresentDemand,
  type StateDemand,
} from './resource-version.js';
export { userAgentOf } from './user-agent.js';
export {
  type FieldValidation,
  type PatchOptions,
  parseCreateOptions,
  parsePatchOptions,
  parseUpdateOptions,
  type WriteOptions,
} from './write-options.js';
