import { chmodSync, closeSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase, type Transaction } from 'lmdb';
import { KVError } from '../interface/index.js';
import { checkDataFile } from './data-file.js';
import { FORMAT_VERSION } from './layout.js';

export interface Environment {
  readonly directory: string;
  readonly dataFile: string;
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly index: Database<Buffer, Buffer>;
  readonly log: Database<Buffer, Buffer>;
  readonly expiring: Database<Buffer, Buffer>;
  readMeta(name: string): number;
  /** Only inside a batch. */
  writeMeta(name: string, value: number): void;
}

export const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
/** Of the file when it is made, and as all others must be told. */
export const fileOptions = { ...binary, maxDbs: 4, pageSize: 16384 } as const;
export const DATA_FILE = 'data.mdb';
const FORMAT = 'format';

/** Opens or creates the database in a directory that this process has locked. */
export async function openEnvironment(directory: string, mapSizeBytes: number | undefined): Promise<Environment> {
  const dataFile = join(directory, DATA_FILE);
  checkDataFile(dataFile);
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
    await claimFormat(directory, meta);
    return {
      directory,
      dataFile,
      root,
      index: root.openDB<Buffer, Buffer>({ ...binary, name: 'index' }),
      log: root.openDB<Buffer, Buffer>({ ...binary, name: 'log' }),
      expiring: root.openDB<Buffer, Buffer>({ ...binary, name: 'expiring' }),
      readMeta: (name) => numberIn(directory, meta, name) ?? 0,
      writeMeta: (name, value) => void meta.put(Buffer.from(name), Buffer.from(String(value))),
    };
  } catch (error) {
    await root.close();
    throw error;
  }
}

/** Checks the format of the data, and sets that of a new file. */
async function claimFormat(directory: string, meta: Database<Buffer, Buffer>): Promise<void> {
  if (checkFormat(directory, meta)) return;
  await meta.batch(() => void meta.put(Buffer.from(FORMAT), Buffer.from(String(FORMAT_VERSION))));
  syncDirectory(directory);
}

/** Throws for a format of a newer version; false where the file is so new that it has none. */
export function checkFormat(directory: string, meta: Database<Buffer, Buffer>, transaction?: Transaction): boolean {
  const found = numberIn(directory, meta, FORMAT, transaction);
  if (found !== undefined && found > FORMAT_VERSION) {
    throw new KVError(
      'corrupt',
      `the data in ${directory} has format ${found}, written by a newer version; this one reads up to ${FORMAT_VERSION}`,
    );
  }
  return found !== undefined;
}

export function numberIn(
  directory: string,
  meta: Database<Buffer, Buffer>,
  name: string,
  transaction?: Transaction,
): number | undefined {
  const bytes = meta.get(Buffer.from(name), transaction === undefined ? {} : { transaction });
  if (bytes === undefined) return undefined;
  const value = Number(bytes.toString());
  if (!Number.isSafeInteger(value)) throw new KVError('corrupt', `the data in ${directory} is damaged: bad ${name}`);
  return value;
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
