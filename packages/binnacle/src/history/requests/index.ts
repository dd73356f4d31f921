/** What the command line needs to know of requests, apart from the code that carries them out. */
export { isSnapshotName, parsePoint, type Point, pointDescription } from './point.js';
export {
  type ExportTarget,
  type HistoryAction,
  type HistoryRequest,
  type NamedTarget,
  type Output,
  parseNamedTarget,
  type RequestOf,
  type Scope,
  type ServerChoice,
  type TransferOptions,
} from './request.js';
