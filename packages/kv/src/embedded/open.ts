import { chmodSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../directories/index.js';
import { createEngineKV } from '../engine/index.js';
import { type KV, KVError, steadyClock } from '../interface/index.js';
import { EmbeddedBackend } from './backend.js';
import { DATA_FILE } from './data-file.js';
import type { LockedFile } from './data-file-lock.js';
import { openEnvironment, RESTORING_SUFFIX } from './environment.js';
import { isNoSpaceError, isSystemError, noSpace } from './failure.js';
import { lockStore } from './store-lock.js';

export interface EmbeddedKVOptions {
  /** Created, with its parents, where it is absent. One process at a time. */
  readonly directory: string;
  /** Address space that is reserved at first; it grows by itself. */
  readonly mapSizeBytes?: number;
  /**
   * Milliseconds since the epoch; decides when keys expire. Default: a clock that starts at the wall's time and never jumps.
   * What is stored is compared with the wall clock again when the store is next opened.
   */
  readonly now?: () => number;
}

/**
 * A durable store in a directory: what is acknowledged survives the process, and loss of power as far as the disk keeps
 * what it has been told to sync. Rejects with {@link KVError} `locked`, `corrupt` (also for a newer format), `full` or
 * `unavailable`, in one sentence that names the directory.
 */
export async function openEmbeddedKV(options: EmbeddedKVOptions): Promise<KV> {
  const directory = resolve(options.directory);
  let lock: LockedFile | undefined;
  try {
    checkRestored(directory);
    makeDirectory(directory);
    chmodSync(directory, 0o700);
    lock = await lockStore(directory);
    const environment = await openEnvironment(directory, options.mapSizeBytes);
    const backend = new EmbeddedBackend(environment, lock);
    return createEngineKV({ backend, now: options.now ?? steadyClock() });
  } catch (error) {
    lock?.release();
    throw openFailure(directory, error);
  }
}

/** A store that is still to be restored would look like one that is new and empty. */
function checkRestored(directory: string): void {
  const restoring = directory + RESTORING_SUFFIX;
  if (existsSync(join(directory, DATA_FILE)) || !existsSync(restoring)) return;
  throw new KVError(
    'unavailable',
    `the restore into ${directory} has not finished; run "binnacle store restore" again, or remove ${restoring} to start ` +
      'with an empty store',
  );
}

/** What a failure to open or read a directory means, as a {@link KVError}. */
export function openFailure(directory: string, error: unknown): KVError {
  if (error instanceof KVError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (isNoSpaceError(error)) return noSpace(directory, error);
  const kind = typeof code === 'string' || isSystemError(error) ? 'unavailable' : 'corrupt';
  return new KVError(kind, `data directory ${directory} cannot be opened: ${detail}`, { cause: error });
}
