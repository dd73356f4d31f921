import { createEngineKV } from '../engine/index.js';
import type { KV } from '../interface/index.js';
import { MemoryBackend } from './backend.js';

export interface MemoryKVOptions {
  /** Milliseconds since the epoch; decides when keys expire. Default: the system's clock. */
  readonly now?: () => number;
}

/** An empty store that lives as long as the returned object. */
export function openMemoryKV(options: MemoryKVOptions = {}): KV {
  return createEngineKV({ backend: new MemoryBackend(), now: options.now ?? Date.now });
}
