import { accessSync, chmodSync, closeSync, constants, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { ForgottenState } from '../engine/index.js';
import type { KVError } from '../interface/index.js';
import { checkDataFile, DATA_FILE, DEFAULT_PAGE_SIZE, extendDataFile } from './pages/data-file.js';
import {
  checkFormat,
  claimFormat,
  type MetaName,
  readAuthors,
  readForgotten,
  readMetaNumber,
  readNote,
  writeAuthor,
  writeForgotten,
  writeMetaNumber,
  writeNote,
} from './format/meta.js';
import type { OverflowCheck } from './pages/overflow-check.js';
import { openStoreFile } from './disk/store-file.js';
import { type CommitGate, openCommitGate } from './locks/commit-gate.js';
import { requireSoundPages } from './pages/page-check.js';

export interface Environment {
  readonly directory: string;
  readonly dataFile: string;
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly index: Database<Buffer, Buffer>;
  readonly log: Database<Buffer, Buffer>;
  readonly expiring: Database<Buffer, Buffer>;
  /** Checks the pages of large values, which the check before the start leaves out. */
  readonly overflow: OverflowCheck;
  /** Why the file may only be read. */
  readonly unwritable: KVError | undefined;
  readMeta(name: MetaName): number;
  /** Only inside a commit. */
  writeMeta(name: MetaName, value: number): void;
  readNote(name: string): Uint8Array | undefined;
  /** Only inside a commit. */
  writeNote(name: string, note: Uint8Array): void;
  /** The names of authors by their numbers, in no order. Corrupt ones are left out. */
  readAuthors(): Iterable<readonly [number, string]>;
  /** Only inside a commit. */
  writeAuthor(number: number, name: string): void;
  /** What is forgotten, by prefix. Throws `corrupt`. */
  readForgotten(): ReadonlyMap<string, ForgottenState>;
  /** Only inside a commit. */
  writeForgotten(prefix: string, state: ForgottenState): void;
  /** Makes the writes of `run` durable, all or none. Rejects with LMDB's error. */
  commit(run: () => void): Promise<void>;
  close(): Promise<void>;
}

export const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
/** The settings with which the file is created, and which every opener must pass. */
export const fileOptions = { ...binary, maxDbs: 4, pageSize: DEFAULT_PAGE_SIZE } as const;
/** More than LMDB needs for its default number of readers. */
const LOCK_FILE_BYTES = 16 * 1024;
/** A restore builds the store beside its place, in a directory with this suffix. The directory remains only if the process is killed. */
export const RESTORING_SUFFIX = '.restoring';

/** Opens or creates the database in a directory that this process has locked. */
export async function openEnvironment(directory: string, mapSizeBytes: number | undefined): Promise<Environment> {
  const gate = await openCommitGate(directory);
  try {
    return await gate.run(() => openBehind(gate, directory, mapSizeBytes));
  } catch (error) {
    gate.close();
    throw error;
  }
}

async function openBehind(gate: CommitGate, directory: string, mapSizeBytes: number | undefined): Promise<Environment> {
  const dataFile = join(directory, DATA_FILE);
  checkDataFile(dataFile);
  const { overflow, unwritable } = requireSoundPages(dataFile);
  // After the check, which must see that pages in use are missing.
  extendDataFile(dataFile);
  takeLockSpace(dataFile);
  const root = open<Buffer, Buffer>({
    ...fileOptions,
    path: dataFile,
    // A commit is on disk before its promise resolves and before any reader sees it.
    overlappingSync: false,
    // The writer makes its own batches. A failed batch of the binding would be an unhandled rejection.
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
    if (unwritable === undefined) {
      if (await claimFormat(directory, { root, meta, index, log }, overflow)) syncDirectory(directory);
    } else checkFormat(directory, (name) => meta.get(name));
    return {
      directory,
      dataFile,
      root,
      index,
      log,
      expiring,
      overflow,
      unwritable,
      readMeta: (name) => readMetaNumber(directory, (key) => meta.get(key), name),
      writeMeta: (name, value) => writeMetaNumber(meta, name, value),
      readNote: (name) => readNote(meta, name),
      writeNote: (name, note) => writeNote(meta, name, note),
      readAuthors: () => readAuthors(meta),
      writeAuthor: (number, name) => writeAuthor(meta, number, name),
      readForgotten: () => readForgotten(directory, meta),
      writeForgotten: (prefix, state) => writeForgotten(meta, prefix, state),
      commit: async (run) => {
        await gate.run(() => root.batch(run));
      },
      close: async () => {
        try {
          await root.close();
        } finally {
          gate.close();
        }
      },
    };
  } catch (error) {
    await root.close();
    throw error;
  }
}

/**
 * Allocates LMDB's lock file, for the owner of the data file. LMDB maps it without writing or checking it first. A full
 * disk, or a file that this process may not write, would end the process with a signal.
 */
export function takeLockSpace(dataFile: string): void {
  const file = `${dataFile}-lock`;
  // An existing file must not be opened: to close it would drop the locks of this process.
  if (existsSync(file)) return accessSync(file, constants.R_OK | constants.W_OK);
  const descriptor = openStoreFile(file, dataFile);
  try {
    writeSync(descriptor, Buffer.alloc(LOCK_FILE_BYTES));
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names of new files durable. Their content needs a sync of its own. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
