export {
  FIRST_REVISION,
  type Backend,
  type BackendState,
  type Expiry,
  type ForgottenState,
  type IndexEntry,
  type LogRecord,
  type Origin,
  type Pointer,
  type RecordHeader,
  type Write,
} from './backend.js';
export type { Condenser } from './condensation.js';
export { damagedKeys, forgottenValue, unlessDamaged } from './damage.js';
export { createEngineKV } from './engine-kv.js';
export { MemoryBackend } from './layers/memory-backend.js';
export type { EngineOptions } from './options.js';
export { Closable, closedError } from './closable.js';
export { checkKey, compareKeys } from './keys.js';
export { checkCompaction, checkHistory, checkRange, checkTxn, checkWatch } from './requests.js';
export { SharedCall } from './shared-call.js';
