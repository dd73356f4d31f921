export { type DamagedKey, KVError, type KVErrorCode, type KVErrorOptions } from './errors.js';
export { GuardedSink } from './guarded-sink.js';
export {
  type DeleteOperation,
  type EventBatch,
  type ForkOptions,
  type KeyEvent,
  type KeyValue,
  type KV,
  type KVSnapshot,
  type KVStatus,
  type LocalKV,
  MAX_KEY_BYTES,
  MAX_NOTE_BYTES,
  type PutOperation,
  type RangeRequest,
  type RangeResult,
  type TxnRequest,
  type TxnResult,
  type ValueReader,
  type WatchRequest,
  type WatchSink,
} from './kv.js';
