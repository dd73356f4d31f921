import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isNoSpaceError, noSpace } from '../disk/failure.js';
import { lockFile, removeUnlocked } from '../../locks/index.js';
import { syncDirectory } from '../environment.js';
import { encodeRecord } from '../format/record.js';
import { type BackupSummary, BackupWriter } from './backup-file.js';
import type { MaintenanceOptions } from './progress.js';
import { openSnapshot } from './snapshot.js';
import { soundValue } from './sound-value.js';

const TEMPORARY = /^[0-9a-f]{12}\.tmp$/;

export interface BackupOptions extends MaintenanceOptions {
  /** Replaced atomically when the backup is complete and on disk. Only the owner may read it. */
  readonly file: string;
}

/**
 * Writes the current values of a store, running or not, at one revision and without history. Rejects with a `KVError`,
 * or with the error of the file; an existing `file` is then unchanged.
 */
export async function backupStore(options: BackupOptions): Promise<BackupSummary> {
  const { directory, progress = () => undefined, signal } = options;
  const file = resolve(options.file);
  await using snapshot = await openSnapshot(directory, signal);
  await removeLeftovers(file);
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const lock = await lockFile(temporary);
  try {
    const handle = await open(temporary, 'r+');
    let summary: BackupSummary;
    try {
      const writer = new BackupWriter(handle);
      const keys = snapshot.count('index');
      let done = 0;
      for await (const { key, value } of snapshot.entries('index')) {
        const { revision, record } = soundValue(snapshot, key, value);
        // A backup has no times and authors of writes.
        await writer.add(revision, encodeRecord(revision, record));
        progress('backup', (done += 1), keys);
      }
      summary = await writer.finish(snapshot.revision);
    } finally {
      await handle.close();
    }
    signal?.throwIfAborted();
    await rename(temporary, file);
    syncDirectory(dirname(file));
    return summary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw isNoSpaceError(error) ? noSpace(dirname(file), error) : error;
  } finally {
    lock?.release();
  }
}

/** Deletes the files of killed backups to this target. A running backup holds a lock. */
async function removeLeftovers(file: string): Promise<void> {
  const prefix = `${basename(file)}.`;
  for (const name of await readdir(dirname(file))) {
    const isTemporary = name.startsWith(prefix) && TEMPORARY.test(name.slice(prefix.length));
    if (isTemporary) await removeUnlocked(join(dirname(file), name)).catch(() => undefined);
  }
}
