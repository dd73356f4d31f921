import { createEngineKV } from '../engine/index.js';
import { type KV, steadyClock } from '../interface/index.js';
import { MemoryBackend } from './backend.js';

export interface MemoryKVOptions {
  /** Milliseconds since the epoch; decides when keys expire. Default: a clock that starts at the wall's time and never jumps. */
  readonly now?: () => number;
}

export interface MemoryKV extends KV {
  /**
   * Another store that begins with everything that is in this one, revisions and history included. From then on neither sees what the other
   * writes. Takes memory for the index alone; values are shared. Throws when this one is closed.
   */
  copy(): MemoryKV;
}

/** An empty store that lives as long as the returned object. */
export function openMemoryKV(options: MemoryKVOptions = {}): MemoryKV {
  return over(new MemoryBackend(), options.now ?? steadyClock());
}

function over(backend: MemoryBackend, now: () => number): MemoryKV {
  return Object.assign(createEngineKV({ backend, now }), { copy: () => over(backend.copy(), now) });
}
