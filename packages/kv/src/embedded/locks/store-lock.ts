import { join } from 'node:path';
import { KVError } from '../../interface/index.js';
import { DATA_FILE } from '../pages/data-file.js';
import { type FileLock, lockDirectory, lockFile, lockOwner } from '../../locks/index.js';
import { isNoSpaceError } from '../disk/failure.js';
import { requireRegularFiles } from '../disk/regular-files.js';

/** The lock of an open store. */
export interface StoreLock {
  /** Throws `unavailable` if the path no longer leads to the open data file: further writes would be lost. */
  checkPlace(): void;
  /** Idempotent. The kernel releases the lock in any case when the process ends. */
  release(): void;
}

/**
 * Locks the store in a directory for this process, or rejects with `locked`. The kernel's lock on the data file is
 * authoritative. The `lock` file names the process and excludes older versions, which know no other lock.
 */
export async function lockStore(directory: string): Promise<StoreLock> {
  requireRegularFiles(directory);
  const dataFile = join(directory, DATA_FILE);
  const file = await lockFile(dataFile);
  if (file === undefined) throw locked(directory);
  let releaseDirectory: () => void;
  try {
    releaseDirectory = lockDirectory(directory);
  } catch (error) {
    // A full disk cannot hold the lock file, and the kernel's lock does not need it.
    if (!file.byKernel || !isNoSpaceError(error)) {
      file.release();
      throw error;
    }
    releaseDirectory = () => undefined;
  }
  return {
    checkPlace: () => checkPlace(dataFile, file),
    release: () => {
      releaseDirectory();
      file.release();
    },
  };
}

function checkPlace(dataFile: string, lock: FileLock): void {
  if (lock.isInPlace()) return;
  throw new KVError(
    'unavailable',
    `the data file ${dataFile} was deleted or replaced while the server was running; nothing is written any more: ` +
      'stop the server, put the file back or restore a backup, and start it again',
  );
}

function locked(directory: string): KVError {
  const owner = lockOwner(directory);
  const name = owner === undefined ? 'another process, which may run in another container' : `process ${owner.pid}`;
  return new KVError('locked', `data directory ${directory} is in use by ${name}`);
}
