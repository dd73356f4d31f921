import { existsSync } from 'node:fs';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KVError } from '../../interface/index.js';
import { DATA_FILE } from '../pages/data-file.js';
import { REPAIRING, replaceDataFile } from './replace-data-file.js';
import { type FileLock, lockFile } from '../../locks/index.js';
import { openEnvironment, syncDirectory } from '../environment.js';
import { openFailure } from '../open.js';
import { lockStore, type StoreLock } from '../locks/store-lock.js';
import { commitRecords, type RestoredRecord } from './commit-records.js';
import type { MaintenanceOptions } from './progress.js';
import { type Salvage, salvage } from './salvage.js';

const BYTES_PER_COMMIT = 16 * 1024 * 1024;
/** The suffix of the old file, which is kept. */
const DAMAGED_SUFFIX = '.damaged';

export interface RepairReport {
  readonly revision: number;
  readonly keys: number;
  /** Recovered records, including those of former values. */
  readonly records: number;
  /** Values that may be outdated or belong to deleted keys; 0 unless part of the log is lost. */
  readonly uncertain: number;
  /** What was lost, as sentence fragments. */
  readonly lost: readonly string[];
  /** The path of the old file. */
  readonly damagedFile: string;
}

/**
 * Builds a store from all intact records of a corrupt one and replaces the old file, which is kept under another name.
 * History is dropped. The store must not be running. The old file is not touched before the new one is complete and on
 * disk.
 */
export async function repairStore(options: MaintenanceOptions): Promise<RepairReport> {
  const { progress = () => undefined, signal } = options;
  const directory = resolve(options.directory);
  const dataFile = join(directory, DATA_FILE);
  if (!existsSync(dataFile)) throw new KVError('unavailable', `there is no store in ${directory}`);
  signal?.throwIfAborted();
  const building = join(directory, REPAIRING);
  let lock: StoreLock | undefined;
  let repairedLock: FileLock | undefined;
  try {
    lock = await lockStore(directory);
    await rm(building, { recursive: true, force: true });
    await mkdir(building, { mode: 0o700 });
    progress('reading', 0, 1);
    using found = salvage(dataFile);
    if (found.records === 0)
      throw new KVError('corrupt', `${dataFile} has no record that can be read; restore a backup`);
    signal?.throwIfAborted();
    await build(building, found, options);
    const repaired = join(building, DATA_FILE);
    await sync(repaired);
    // A server that starts right after the rename must find the new file locked.
    repairedLock = await lockFile(repaired, { create: false });
    const damagedFile = unusedName(`${dataFile}${DAMAGED_SUFFIX}`);
    await link(dataFile, damagedFile);
    await replaceDataFile(directory, repaired);
    syncDirectory(directory);
    const { revision, current, records, uncertain, lost } = found;
    return { revision, keys: current.length, records, uncertain, lost, damagedFile };
  } catch (error) {
    throw signal?.aborted === true ? error : openFailure(directory, error);
  } finally {
    // Without the lock, the folder belongs to another command that runs.
    if (lock !== undefined) await rm(building, { recursive: true, force: true });
    lock?.release();
    repairedLock?.release();
  }
}

/** Writes a store with the recovered values, without history. */
async function build(directory: string, found: Salvage, options: MaintenanceOptions): Promise<void> {
  const { progress = () => undefined, signal } = options;
  const environment = await openEnvironment(directory, undefined);
  try {
    let group: RestoredRecord[] = [];
    let bytes = 0;
    for (const [index, each] of found.current.entries()) {
      const record = found.read(each);
      if (record === undefined) continue;
      group.push({ revision: each.revision, record });
      bytes += record.value.length;
      if (bytes < BYTES_PER_COMMIT) continue;
      await commitRecords(environment, group, bytes);
      group = [];
      bytes = 0;
      signal?.throwIfAborted();
      progress('writing', index + 1, found.current.length);
    }
    await commitRecords(environment, group, bytes, found.revision);
  } finally {
    await environment.close();
  }
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unusedName(name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}.${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}
