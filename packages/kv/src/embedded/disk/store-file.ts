import { closeSync, constants, fchownSync, fstatSync, openSync, statSync, type Stats } from 'node:fs';
import { KVError } from '../../interface/index.js';
import { property } from './failure.js';

/**
 * Opens or creates a file of a store, for the owner of the data file: that user's server must be able to open it when
 * root has created it. Follows no link, because the owner of the directory could have root hand over another file.
 */
export function openStoreFile(file: string, dataFile: string): number {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile() || found.nlink !== 1) {
      throw new KVError('unavailable', `${file} is not a file of the store; remove it, or choose another directory`);
    }
    giveToOwner(descriptor, found, statSync(dataFile, { throwIfNoEntry: false }));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function giveToOwner(descriptor: number, found: Stats, owner: Stats | undefined): void {
  if (process.getuid?.() !== 0 || owner === undefined || owner.uid === found.uid) return;
  try {
    fchownSync(descriptor, owner.uid, owner.gid);
  } catch (error) {
    if (property(error, 'code') !== 'EPERM') throw error;
  }
}
