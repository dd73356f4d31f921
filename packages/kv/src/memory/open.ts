import { type Clock, steadyTime, systemClock } from '@binnacle/apimachinery/clock';
import { createEngineKV, MemoryBackend } from '../engine/index.js';
import type { LocalKV } from '../interface/index.js';

export interface MemoryKVOptions {
  /** Keys expire by its steady time. Default: the machine's clock. */
  readonly clock?: Clock;
}

/** Opens an empty store that lives as long as the returned object. */
export function openMemoryKV({ clock = systemClock }: MemoryKVOptions = {}): LocalKV {
  return createEngineKV({ backend: new MemoryBackend(), clock, now: steadyTime(clock) });
}
