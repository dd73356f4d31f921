import { join } from 'node:path';
import { KVError } from '../../interface/index.js';
import { DATA_FILE } from '../pages/data-file.js';
import { type LockedFile, lockFile } from './data-file-lock.js';
import { lockDirectory, lockOwner } from './directory-lock.js';
import { isNoSpaceError } from '../disk/failure.js';
import { requireRegularFiles } from '../disk/regular-files.js';

/**
 * Locks the store in a directory for this process, or rejects with `locked`. The kernel's lock on the data file is
 * authoritative. The `lock` file names the process and excludes older versions, which know no other lock.
 */
export async function lockStore(directory: string): Promise<LockedFile> {
  requireRegularFiles(directory);
  const file = await lockFile(join(directory, DATA_FILE));
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
    return file;
  }
  return {
    byKernel: file.byKernel,
    checkPlace: () => file.checkPlace(),
    release: () => {
      releaseDirectory();
      file.release();
    },
  };
}

function locked(directory: string): KVError {
  const pid = lockOwner(directory);
  const owner = pid === undefined ? 'another process, which may run in another container' : `process ${pid}`;
  return new KVError('locked', `data directory ${directory} is in use by ${owner}`);
}
