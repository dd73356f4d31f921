export { ByteSlabs } from './byte-slabs.js';
export type { StorageCodec } from './codec.js';
export type { Conditions, StoredVersion } from './conditions.js';
export { type ContinueToken, decodeContinueToken, encodeContinueToken, keyAfter } from './continue-token.js';
export { DamageLog } from './damage-log.js';
export { forgottenBefore, StorageError, type StorageErrorCode } from './errors.js';
export { HistoryRetention, type HistoryRetentionOptions } from './history-retention.js';
export {
  type Change,
  type ChangeResult,
  type ObjectPage,
  ObjectStorage,
  type ObjectStorageOptions,
  type StorageObserver,
  type StorageOperation,
} from './storage.js';
export { isStorableKey } from './key-length.js';
export type { PastEvent, StoredHistory } from './stored-history.js';
export { StoredObject } from './stored-object.js';
export type { WriterIdentity } from './writer-identity.js';
export type { ValueReader } from '@binnacle/kv';
