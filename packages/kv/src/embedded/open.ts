import { chmodSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { createEngineKV } from '../engine/index.js';
import { type KV, KVError } from '../interface/index.js';
import { EmbeddedBackend } from './backend.js';
import { lockDirectory } from './directory-lock.js';
import { openEnvironment } from './environment.js';

export interface EmbeddedKVOptions {
  /** Created, with its parents, where it is absent. One process at a time. */
  readonly directory: string;
  /** Address space that is reserved at first; it grows by itself. */
  readonly mapSizeBytes?: number;
  /** Milliseconds since the epoch; decides when keys expire. Default: the system's clock. */
  readonly now?: () => number;
}

/**
 * A durable store in a directory: what is acknowledged survives the process, and loss of power as far as the disk keeps
 * what it has been told to sync. Rejects with {@link KVError} `locked`, `corrupt` (also for a newer format), `full` or
 * `unavailable`, in one sentence that names the directory.
 */
export async function openEmbeddedKV(options: EmbeddedKVOptions): Promise<KV> {
  const directory = resolve(options.directory);
  let release: (() => void) | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    chmodSync(directory, 0o700);
    release = lockDirectory(directory);
    const environment = await openEnvironment(directory, options.mapSizeBytes);
    const backend = new EmbeddedBackend(environment, release);
    return createEngineKV({ backend, now: options.now ?? Date.now });
  } catch (error) {
    release?.();
    throw openFailure(directory, error);
  }
}

/** What a failure to open or read a directory means, as a {@link KVError}. */
export function openFailure(directory: string, error: unknown): KVError {
  if (error instanceof KVError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new KVError('full', `no space left to write in ${directory}`, { cause: error });
  }
  const kind = typeof code === 'string' ? 'unavailable' : 'corrupt';
  return new KVError(kind, `data directory ${directory} cannot be opened: ${detail}`, { cause: error });
}
