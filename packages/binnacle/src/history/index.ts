export { parsePoint, type Point, pointDescription } from './point.js';
export {
  type HistoryAction,
  type HistoryRequest,
  type NamedTarget,
  type Output,
  parseNamedTarget,
  type Scope,
} from './request.js';
export { type HistoryParts, runHistory } from './run.js';
