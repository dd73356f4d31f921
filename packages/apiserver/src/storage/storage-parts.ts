import type { KV } from '@binnacle/kv';
import type { StorageCodec } from './codec.js';
import type { ObjectWrapper } from './object-wrapper.js';
import type { StoreCalls } from './store-calls.js';

/** What the reads and writes of one resource share. */
export interface StorageParts {
  readonly kv: KV;
  readonly codec: StorageCodec;
  readonly calls: StoreCalls;
  readonly wrapper: ObjectWrapper;
}
