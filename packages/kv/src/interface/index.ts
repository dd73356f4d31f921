export { KVError, type KVErrorCode } from './errors.js';
export { steadyClock } from './steady-clock.js';
export { GuardedSink } from './guarded-sink.js';
export type {
  EventBatch,
  KeyEvent,
  KeyValue,
  KV,
  KVStatus,
  PutOperation,
  RangeRequest,
  RangeResult,
  TxnRequest,
  TxnResult,
  ValueReader,
  WatchRequest,
  WatchSink,
} from './kv.js';
