import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { chmod, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KVError } from '../../interface/index.js';
import { openEnvironment, syncDirectory } from '../environment.js';
import { type FileLock, lockFile } from '../../locks/index.js';
import { lockStore, type StoreLock } from '../locks/store-lock.js';
import { openFailure } from '../open.js';
import { DATA_FILE } from '../pages/data-file.js';
import { copyTables } from './copy-tables.js';
import type { MaintenanceOptions } from './progress.js';
import { REPAIRING, replaceDataFile } from './replace-data-file.js';

/** The size of the file on disk. */
export interface RewriteSizes {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Changes a store that is not running, and then copies it to a new file, without what it no longer uses. The copy needs
 * space for the remaining data, and replaces the old file atomically.
 */
export async function rewriteStore<T>(
  options: MaintenanceOptions,
  change: (directory: string, lock: StoreLock) => Promise<T>,
): Promise<{ readonly result: T } & RewriteSizes> {
  const { signal } = options;
  const directory = resolve(options.directory);
  const dataFile = join(directory, DATA_FILE);
  if (!existsSync(dataFile)) throw new KVError('unavailable', `there is no store in ${directory}`);
  signal?.throwIfAborted();
  let lock: StoreLock | undefined;
  let copyLock: FileLock | undefined;
  const copy = `${dataFile}.compacting`;
  try {
    lock = await lockStore(directory);
    // What a killed repair has left may have values that are purged.
    await rm(join(directory, REPAIRING), { recursive: true, force: true });
    const bytesBefore = (await stat(dataFile)).size;
    const result = await change(directory, lock);
    signal?.throwIfAborted();
    await rewrite(directory, copy, options);
    signal?.throwIfAborted();
    // A server that starts right after the rename must find the copy locked.
    copyLock = await lockFile(copy, { create: false });
    await replaceDataFile(directory, copy);
    syncDirectory(directory);
    return { result, bytesBefore, bytesAfter: (await stat(dataFile)).size };
  } catch (error) {
    // Without the lock, the copy may belong to a command that runs.
    if (lock !== undefined) await removeCopy(copy);
    throw signal?.aborted === true ? error : openFailure(directory, error);
  } finally {
    lock?.release();
    copyLock?.release();
  }
}

async function rewrite(
  directory: string,
  copy: string,
  { progress = () => undefined, signal }: MaintenanceOptions,
): Promise<void> {
  await removeCopy(copy);
  const environment = await openEnvironment(directory, undefined);
  try {
    // LMDB reads as many pages as the first page of a large value says.
    await environment.overflow.run();
    await copyTables(environment, copy, {
      progress: (done, total) => progress('rewriting', done, total),
      signal,
    });
  } finally {
    await environment.close();
  }
  await rm(`${copy}-lock`, { force: true });
  await chmod(copy, 0o600);
  const descriptor = openSync(copy, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Also LMDB's lock file, which a killed command leaves. */
async function removeCopy(copy: string): Promise<void> {
  for (const file of [copy, `${copy}-lock`]) await rm(file, { force: true });
}
