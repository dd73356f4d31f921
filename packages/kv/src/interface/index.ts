export { type DamagedKey, type ForgottenValues, KVError, type KVErrorCode, type KVErrorOptions } from './errors.js';
export { GuardedSink } from './guarded-sink.js';
export { hasHistory } from './has-history.js';
export {
  type Author,
  type DeleteOperation,
  type EventBatch,
  type ForkOptions,
  type HistoryEvent,
  type HistoryPage,
  type HistoryRequest,
  type KeyCondition,
  type KeyEvent,
  type KeyValue,
  type KV,
  type KVSnapshot,
  type KVStatus,
  type LocalKV,
  MAX_AUTHOR_BYTES,
  MAX_HISTORY_EVENTS,
  MAX_KEY_BYTES,
  MAX_MARK_BYTES,
  MAX_NOTE_BYTES,
  type PutOperation,
  type RangeRequest,
  type RangeResult,
  type StoredAs,
  type TxnRequest,
  type TxnResult,
  type ValueReader,
  type WatchRequest,
  type WatchSink,
} from './kv.js';
export { pausesReplay } from './replay.js';
