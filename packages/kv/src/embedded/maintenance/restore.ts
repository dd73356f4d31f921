import { existsSync } from 'node:fs';
import { open, readdir, rename, rm, rmdir, truncate } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeDirectory } from '../../directories/index.js';
import { type LogRecord, checkKey } from '../../engine/index.js';
import { KVError } from '../../interface/index.js';
import { LOCK_FILE } from '../../locks/index.js';
import { DATA_FILE } from '../pages/data-file.js';
import { isNoSpaceError, noSpace } from '../disk/failure.js';
import { openEnvironment, RESTORING_SUFFIX, syncDirectory } from '../environment.js';
import { decodeRecordOfFormatOne } from '../format/format-one.js';
import { decodeRecord, noRecords } from '../format/condensed-record.js';
import { lockStore } from '../locks/store-lock.js';
import { type BackupSummary, type BackupValue, BackupReader, damaged } from './backup-file.js';
import { commitRecords, type RestoredRecord } from './commit-records.js';
import type { MaintenanceOptions } from './progress.js';

const BYTES_PER_COMMIT = 16 * 1024 * 1024;

export interface RestoreOptions extends MaintenanceOptions {
  readonly file: string;
  /**
   * How far the store's revision is above that of the backup; default 0. Writes after the backup are lost, so their
   * revisions would be reused. With this option, clients that know them are told that they are compacted. Upstream:
   * etcdutl `--bump-revision --mark-compacted`.
   */
  readonly bumpRevision?: number;
}

/**
 * Creates a store from a backup, compacted at the backup's revision plus `bumpRevision`. The directory must be absent
 * or empty; it appears complete or not at all. Rejects with a `KVError`, or with the error of the file.
 */
export async function restoreStore(options: RestoreOptions): Promise<BackupSummary> {
  const directory = resolve(options.directory);
  const building = directory + RESTORING_SUFFIX;
  await checkEmpty(directory);
  const handle = await open(options.file, 'r');
  try {
    const reader = await BackupReader.open(handle, options.file);
    makeDirectory(building);
    const lock = await lockStore(building);
    try {
      await emptyStore(building);
      await load(reader, building, options);
      await checkEmpty(directory);
      // Another restore that took the lock before this would empty the files.
      await rename(building, directory);
      await rm(join(directory, LOCK_FILE), { force: true });
    } catch (error) {
      await rm(building, { recursive: true, force: true });
      throw isNoSpaceError(error) ? noSpace(dirname(directory), error) : error;
    } finally {
      lock.release();
    }
    syncDirectory(dirname(directory));
    return reader.summary;
  } finally {
    await handle.close();
  }
}

async function load(reader: BackupReader, directory: string, options: RestoreOptions): Promise<void> {
  const { progress = () => undefined, signal, bumpRevision = 0 } = options;
  const { summary } = reader;
  const revision = summary.revision + bumpRevision;
  if (bumpRevision < 0 || !Number.isSafeInteger(revision))
    throw new RangeError(`cannot continue at revision ${revision}`);
  const environment = await openEnvironment(directory, undefined);
  try {
    let values: RestoredRecord[] = [];
    let bytes = 0;
    let done = 0;
    let previousKey: Buffer | undefined;
    for await (const value of reader.values()) {
      const record = decode(value, reader, options.file);
      const keyBytes = Buffer.from(record.key);
      if (previousKey !== undefined && Buffer.compare(previousKey, keyBytes) >= 0) throw damaged(options.file);
      previousKey = keyBytes;
      values.push({ revision: value.revision, record });
      bytes += value.record.length;
      if (bytes > BYTES_PER_COMMIT) {
        await commitRecords(environment, values, bytes);
        values = [];
        bytes = 0;
        signal?.throwIfAborted();
      }
      progress('restore', (done += 1), summary.keys);
    }
    await commitRecords(environment, values, bytes, revision);
    signal?.throwIfAborted();
  } finally {
    await environment.close();
  }
}

function decode({ revision, record }: BackupValue, reader: BackupReader, file: string): LogRecord {
  try {
    const decoded = reader.format === 1 ? decodeRecordOfFormatOne(record) : decodeRecord(revision, record, noRecords);
    checkKey(decoded.key);
    const { type, createRevision, previousRevision } = decoded;
    if (
      type === 'put' &&
      revision <= reader.summary.revision &&
      createRevision <= revision &&
      previousRevision < revision
    ) {
      return decoded;
    }
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof KVError)) throw error;
  }
  throw damaged(file);
}

async function checkEmpty(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  if ((await readdir(directory)).length > 0) {
    throw new KVError('unavailable', `${directory} is not empty; restore into an empty or absent directory`);
  }
  await rmdir(directory);
}

/** Removes the files of a killed restore, except those that hold the lock. */
async function emptyStore(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name !== LOCK_FILE && name !== DATA_FILE) await rm(join(directory, name), { recursive: true, force: true });
  }
  await truncate(join(directory, DATA_FILE));
}
