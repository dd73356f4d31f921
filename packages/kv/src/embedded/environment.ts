import { chmodSync, closeSync, existsSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { checkDataFile, DATA_FILE, DEFAULT_PAGE_SIZE } from './data-file.js';
import { claimFormat, type MetaName, readMetaNumber, writeMetaNumber } from './meta.js';
import type { OverflowCheck } from './overflow-check.js';
import { requireSoundPages } from './page-check.js';

export interface Environment {
  readonly directory: string;
  readonly dataFile: string;
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly index: Database<Buffer, Buffer>;
  readonly log: Database<Buffer, Buffer>;
  readonly expiring: Database<Buffer, Buffer>;
  /** The part of the test of its pages that is left. */
  readonly overflow: OverflowCheck;
  readMeta(name: MetaName): number;
  /** Only inside a batch. */
  writeMeta(name: MetaName, value: number): void;
}

export const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
/** Of the file when it is made, and as all others must be told. */
export const fileOptions = { ...binary, maxDbs: 4, pageSize: DEFAULT_PAGE_SIZE } as const;
/** More than LMDB needs for the readers that it allows by default. */
const LOCK_FILE_BYTES = 16 * 1024;
/** Where a store is put together: beside its place, with this added to the name. Left behind only by a process that was killed. */
export const RESTORING_SUFFIX = '.restoring';

/** Opens or creates the database in a directory that this process has locked. */
export async function openEnvironment(directory: string, mapSizeBytes: number | undefined): Promise<Environment> {
  const dataFile = join(directory, DATA_FILE);
  checkDataFile(dataFile);
  const overflow = requireSoundPages(dataFile);
  takeLockSpace(`${dataFile}-lock`);
  const root = open<Buffer, Buffer>({
    ...fileOptions,
    path: dataFile,
    // A commit is on disk before its promise resolves and before any reader sees it.
    overlappingSync: false,
    // The writer makes its own batches. A failed one of the binding's would be an unhandled rejection.
    eventTurnBatching: false,
    ...(mapSizeBytes === undefined ? {} : { mapSize: mapSizeBytes }),
  });
  try {
    chmodSync(dataFile, 0o600);
    chmodSync(`${dataFile}-lock`, 0o600);
    const meta = root.openDB<Buffer, Buffer>({ ...binary, name: 'meta' });
    const index = root.openDB<Buffer, Buffer>({ ...binary, name: 'index' });
    const log = root.openDB<Buffer, Buffer>({ ...binary, name: 'log' });
    const expiring = root.openDB<Buffer, Buffer>({ ...binary, name: 'expiring' });
    if (await claimFormat(directory, { root, meta, index, log })) syncDirectory(directory);
    return {
      directory,
      dataFile,
      root,
      index,
      log,
      expiring,
      overflow,
      readMeta: (name) => readMetaNumber(directory, (key) => meta.get(key), name),
      writeMeta: (name, value) => writeMetaNumber(meta, name, value),
    };
  } catch (error) {
    await root.close();
    throw error;
  }
}

/** LMDB maps its lock file and makes it without writing to it: a disk without space for it would end the process by a signal. */
function takeLockSpace(file: string): void {
  if (!existsSync(file)) writeFileSync(file, Buffer.alloc(LOCK_FILE_BYTES), { mode: 0o600 });
}

/** Makes new files' names durable, not only what is in them. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
