export { type DamagedKey, KVError, type KVErrorCode, type KVErrorOptions } from './errors.js';
export { GuardedSink } from './guarded-sink.js';
export type {
  DeleteOperation,
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
