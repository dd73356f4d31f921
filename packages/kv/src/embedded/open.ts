import { chmodSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Clock, steadyTime, systemClock } from '@binnacle/apimachinery/clock';
import { messageOf } from '@binnacle/apimachinery/errors';
import { makeDirectory } from '../directories/index.js';
import { createEngineKV } from '../engine/index.js';
import { KVError, type LocalKV } from '../interface/index.js';
import { EmbeddedBackend } from './backend.js';
import { DATA_FILE } from './pages/data-file.js';
import type { StoreLock } from './locks/store-lock.js';
import { openEnvironment, RESTORING_SUFFIX } from './environment.js';
import { isOpenedWithoutSpace, isSystemError, noSpace } from './disk/failure.js';
import { lockStore } from './locks/store-lock.js';

export interface EmbeddedKVOptions {
  /** Created with its parents if absent. Only one process may use it. */
  readonly directory: string;
  /** Address space to reserve at first; it grows as needed. */
  readonly mapSizeBytes?: number;
  /**
   * Keys expire by its steady time. Default: the machine's clock. Stored deadlines are compared with the wall clock again
   * at the next open.
   */
  readonly clock?: Clock;
  /**
   * Superseded values of this age are stored as differences from the values that superseded them. Reads of them take longer:
   * some tens of microseconds each. Default: 15 minutes, longer than a server keeps history by default.
   */
  readonly condenseAfterMilliseconds?: number;
  /** How often to look for such values. Default: a minute. */
  readonly condenseEveryMilliseconds?: number;
}

const CONDENSE_AFTER_MS = 15 * 60_000;
const CONDENSE_EVERY_MS = 60_000;

/**
 * Opens a durable store in a directory: an acknowledged write survives the process, and power loss if the disk keeps
 * synced data. Rejects with {@link KVError} `locked`, `corrupt` (also for a newer format), `full` or `unavailable`,
 * with one sentence that names the directory.
 */
export async function openEmbeddedKV(options: EmbeddedKVOptions): Promise<LocalKV> {
  const { clock = systemClock } = options;
  const directory = resolve(options.directory);
  let lock: StoreLock | undefined;
  try {
    checkRestored(directory);
    makeDirectory(directory);
    chmodSync(directory, 0o700);
    lock = await lockStore(directory);
    const environment = await openEnvironment(directory, options.mapSizeBytes);
    const backend = new EmbeddedBackend(environment, lock);
    const condensing = {
      condenser: backend.condenser,
      afterMilliseconds: options.condenseAfterMilliseconds ?? CONDENSE_AFTER_MS,
      everyMilliseconds: options.condenseEveryMilliseconds ?? CONDENSE_EVERY_MS,
    };
    return createEngineKV({ backend, clock, now: steadyTime(clock), condensing });
  } catch (error) {
    lock?.release();
    throw openFailure(directory, error);
  }
}

/** Rejects a store with an unfinished restore, which would look new and empty. */
function checkRestored(directory: string): void {
  const restoring = directory + RESTORING_SUFFIX;
  if (existsSync(join(directory, DATA_FILE)) || !existsSync(restoring)) return;
  throw new KVError(
    'unavailable',
    `the restore into ${directory} has not finished; run "binnacle store restore" again, or remove ${restoring} to start ` +
      'with an empty store',
  );
}

/** The {@link KVError} for a failure to open or read a directory. */
export function openFailure(directory: string, error: unknown): KVError {
  if (error instanceof KVError) return error;
  const detail = messageOf(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (isOpenedWithoutSpace(error, directory)) return noSpace(directory, error);
  const kind = typeof code === 'string' || isSystemError(error) ? 'unavailable' : 'corrupt';
  return new KVError(kind, `data directory ${directory} cannot be opened: ${detail}`, { cause: error });
}
