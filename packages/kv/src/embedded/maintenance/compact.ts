import { existsSync, openSync, closeSync, fsyncSync } from 'node:fs';
import { chmod, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { repeat, systemClock } from '@binnacle/apimachinery/clock';
import { createEngineKV, FIRST_REVISION } from '../../engine/index.js';
import { KVError, type LocalKV } from '../../interface/index.js';
import { EmbeddedBackend } from '../backend.js';
import { DATA_FILE } from '../pages/data-file.js';
import { replaceDataFile } from './replace-data-file.js';
import { type LockedFile, lockFile } from '../locks/data-file-lock.js';
import { openEnvironment, syncDirectory } from '../environment.js';
import { openFailure } from '../open.js';
import { lockStore } from '../locks/store-lock.js';
import type { MaintenanceOptions } from './progress.js';

export interface CompactOptions extends MaintenanceOptions {
  /** Keep the history since this time, in milliseconds since the epoch. Default: keep none. */
  readonly keepSince?: number;
}

export interface CompactReport {
  /** History before this revision is removed. */
  readonly revision: number;
  /** The size of the file on disk. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Compacts the history of a store that is not running, and returns the space to the file system. The store is copied to
 * a new file, which needs space for the remaining data and then replaces the old one atomically.
 */
export async function compactStore(options: CompactOptions): Promise<CompactReport> {
  const { progress = () => undefined, signal, keepSince } = options;
  const directory = resolve(options.directory);
  const dataFile = join(directory, DATA_FILE);
  if (!existsSync(dataFile)) throw new KVError('unavailable', `there is no store in ${directory}`);
  signal?.throwIfAborted();
  let lock: LockedFile | undefined;
  let copyLock: LockedFile | undefined;
  const copy = `${dataFile}.compacting`;
  try {
    lock = await lockStore(directory);
    const bytesBefore = (await stat(dataFile)).size;
    const revision = await forgetHistory(directory, lock, progress, keepSince);
    signal?.throwIfAborted();
    await rewrite(directory, copy, progress);
    signal?.throwIfAborted();
    // A server that starts right after the rename must find the copy locked.
    copyLock = await lockFile(copy);
    await replaceDataFile(directory, copy);
    syncDirectory(directory);
    return { revision, bytesBefore, bytesAfter: (await stat(dataFile)).size };
  } catch (error) {
    await rm(copy, { force: true });
    throw signal?.aborted === true ? error : openFailure(directory, error);
  } finally {
    lock?.release();
    copyLock?.release();
  }
}

async function forgetHistory(
  directory: string,
  held: LockedFile,
  progress: (step: string, done: number, total: number) => void,
  keepSince: number | undefined,
): Promise<number> {
  // The lock outlives this backend.
  const lock = { byKernel: held.byKernel, checkPlace: () => held.checkPlace(), release: () => undefined };
  const backend = new EmbeddedBackend(await openEnvironment(directory, undefined), lock);
  const { removedRevision } = backend.initialState();
  // Time does not advance: only a server expires keys.
  await using kv = createEngineKV({ backend, clock: systemClock, now: () => 0 });
  const revision = keepSince === undefined ? await kv.currentRevision() : await oldestKept(kv, keepSince);
  using _reports = repeat(systemClock, 100, () => {
    progress('forgetting', backend.initialState().removedRevision - removedRevision, revision - removedRevision);
  });
  await kv.compact(revision);
  return revision;
}

/** The revision at a time, or the oldest one if the store knows no state of that time. */
async function oldestKept(kv: LocalKV, time: number): Promise<number> {
  try {
    return await kv.revisionAt(time);
  } catch (error) {
    if (!(error instanceof KVError) || error.code !== 'compacted') throw error;
    return Math.max((await kv.status()).compactedRevision, FIRST_REVISION);
  }
}

async function rewrite(
  directory: string,
  copy: string,
  progress: (step: string, done: number, total: number) => void,
): Promise<void> {
  await rm(copy, { force: true });
  const environment = await openEnvironment(directory, undefined);
  try {
    // LMDB copies as many pages as the first page of a large value says.
    await environment.overflow.run();
    progress('rewriting', 0, 1);
    await environment.root.backup(copy, true);
    progress('rewriting', 1, 1);
  } finally {
    await environment.close();
  }
  await chmod(copy, 0o600);
  const descriptor = openSync(copy, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
