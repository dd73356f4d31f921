import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KVError } from '../../interface/index.js';
import { LOCK_FILE } from '../../locks/index.js';

const NAMES = ['data.mdb', 'data.mdb-lock', LOCK_FILE, 'commits', 'reserve'];

/**
 * Throws `unavailable` if a pipe, a device or a directory is in the place of one of the store's files. To open a pipe
 * may never end, and LMDB maps what it opens.
 */
export function requireRegularFiles(directory: string): void {
  for (const name of NAMES) {
    const file = join(directory, name);
    // The other files have no reason to be links, which could lead root to another file.
    const found = (name === 'data.mdb' ? statSync : lstatSync)(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) {
      throw new KVError('unavailable', `${file} is not a regular file; remove it, or choose another directory`);
    }
  }
}
