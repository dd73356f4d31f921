import { type Clock, steadyTime, systemClock } from '@binnacle/apimachinery/clock';
import { createEngineKV, type EngineOptions } from '../engine/index.js';
import type { KV } from '../interface/index.js';
import { MemoryBackend } from './backend.js';

export interface MemoryKVOptions {
  /** Keys expire by its steady time. Default: the machine's clock. */
  readonly clock?: Clock;
}

export interface MemoryKV extends KV {
  /**
   * Creates a store with all of this one's content, including revisions and history. The two are then independent.
   * Needs memory only for the index; values are shared. Throws if this store is closed. Default: on the same clock.
   */
  copy(options?: MemoryKVOptions): MemoryKV;
}

/** Opens an empty store that lives as long as the returned object. */
export function openMemoryKV({ clock = systemClock }: MemoryKVOptions = {}): MemoryKV {
  return over(new MemoryBackend(), timeOf(clock));
}

type Time = Pick<EngineOptions, 'clock' | 'now'>;

const timeOf = (clock: Clock): Time => ({ clock, now: steadyTime(clock) });

function over(backend: MemoryBackend, time: Time): MemoryKV {
  const copy = ({ clock }: MemoryKVOptions = {}) => over(backend.copy(), clock === undefined ? time : timeOf(clock));
  return Object.assign(createEngineKV({ backend, ...time }), { copy });
}
