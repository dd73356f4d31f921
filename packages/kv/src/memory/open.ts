import { createEngineKV } from '../engine/index.js';
import { type KV, steadyClock } from '../interface/index.js';
import { MemoryBackend } from './backend.js';

export interface MemoryKVOptions {
  /**
   * Milliseconds since the epoch. Keys expire by this clock. Default: a clock that starts at wall time and never jumps.
   */
  readonly now?: () => number;
}

export interface MemoryKV extends KV {
  /**
   * Creates a store with all of this one's content, including revisions and history. The two are then independent.
   * Needs memory only for the index; values are shared. Throws if this store is closed.
   */
  copy(): MemoryKV;
}

/** Opens an empty store that lives as long as the returned object. */
export function openMemoryKV(options: MemoryKVOptions = {}): MemoryKV {
  return over(new MemoryBackend(), options.now ?? steadyClock());
}

function over(backend: MemoryBackend, now: () => number): MemoryKV {
  return Object.assign(createEngineKV({ backend, now }), { copy: () => over(backend.copy(), now) });
}
