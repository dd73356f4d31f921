import { join } from 'node:path';
import { KVError } from '../interface/index.js';
import { DATA_FILE } from './data-file.js';
import { type LockedFile, lockFile } from './data-file-lock.js';
import { lockDirectory, lockOwner } from './directory-lock.js';
import { isNoSpaceError } from './failure.js';

/**
 * Takes the store in a directory for this process alone, or rejects with `locked`. The kernel's lock on the data file
 * decides. The `lock` file says which process it is, and keeps out older versions, which know no other lock.
 */
export async function lockStore(directory: string): Promise<LockedFile> {
  const file = await lockFile(join(directory, DATA_FILE));
  if (file === undefined) throw locked(directory);
  let releaseDirectory: () => void;
  try {
    releaseDirectory = lockDirectory(directory);
  } catch (error) {
    // A full disk has no room for a name, and the kernel's lock needs none.
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
