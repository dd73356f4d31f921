import { chmodSync, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, open, type RootDatabase, type Transaction } from 'lmdb';
import { type Expiry, FIRST_REVISION } from '../../engine/index.js';
import { KVError } from '../../interface/index.js';
import { checkDataFile } from '../data-file.js';
import { binary, DATA_FILE, fileOptions } from '../environment.js';
import { readNumber, writeNumber } from '../layout.js';
import { checkFormat, type MetaName, readMetaNumber } from '../meta.js';
import { openFailure } from '../open.js';

type Table = Database<Buffer, Buffer>;

/** So many entries are read before others get their turn. */
const ENTRIES_PER_SLICE = 500;
const TABLES = ['meta', 'index', 'log', 'expiring'] as const;

export interface RawIndexEntry {
  readonly key: Buffer;
  /** A pointer as `layout.ts` reads it. */
  readonly bytes: Buffer;
}

export interface LogEntry {
  readonly revision: number;
  /** A record as `layout.ts` reads it. */
  readonly bytes: Buffer;
}

/**
 * One committed state of a store, read from beside: no lock is taken, and another process may go on writing. What that
 * one frees meanwhile is not used again until the snapshot is closed, so that its file grows.
 */
export class Snapshot implements AsyncDisposable {
  readonly revision: number;
  readonly compactedRevision: number;
  readonly removedRevision: number;
  readonly fileBytes: number;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #tables: Readonly<Record<(typeof TABLES)[number], Table>>;
  readonly #transaction: Transaction;
  readonly #signal: AbortSignal | undefined;

  constructor(directory: string, root: RootDatabase<Buffer, Buffer>, signal: AbortSignal | undefined) {
    this.#root = root;
    this.#signal = signal;
    this.fileBytes = statSync(join(directory, DATA_FILE)).size;
    const [meta, index, log, expiring] = TABLES.map((name) => root.openDB<Buffer, Buffer>({ ...binary, name }));
    if (!meta || !index || !log || !expiring) throw new KVError('corrupt', `the data in ${directory} lacks a table`);
    this.#tables = { meta, index, log, expiring };
    const transaction = root.useReadTransaction();
    this.#transaction = transaction;
    checkFormat(directory, meta, transaction);
    const number = (name: MetaName): number => readMetaNumber(directory, meta, name, transaction);
    let logged = 0;
    for (const key of log.getKeys({ reverse: true, limit: 1, transaction })) logged = readNumber(key, 0);
    this.revision = Math.max(FIRST_REVISION, logged, number('revision'));
    this.compactedRevision = number('compacted');
    this.removedRevision = number('removed');
  }

  count(table: 'index' | 'log' | 'expiring'): number {
    return this.#tables[table].getKeysCount({ transaction: this.#transaction });
  }

  pointer(key: Buffer): Buffer | undefined {
    return this.#tables.index.get(key, { transaction: this.#transaction });
  }

  record(revision: number): Buffer | undefined {
    const key = Buffer.allocUnsafe(8);
    writeNumber(key, revision, 0);
    return this.#tables.log.get(key, { transaction: this.#transaction });
  }

  /** In key order. */
  index(): AsyncGenerator<RawIndexEntry> {
    return this.#walk('index', (key, value) => ({ key, bytes: value }));
  }

  /** In the order of revisions. */
  log(): AsyncGenerator<LogEntry> {
    return this.#walk('log', (key, value) => ({ revision: readNumber(key, 0), bytes: value }));
  }

  expiring(): AsyncGenerator<Expiry> {
    return this.#walk('expiring', (key, value) => ({
      key: value.toString(),
      revision: readNumber(key, 8),
      expiresAt: readNumber(key, 0),
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#transaction.done();
    await this.#root.close();
  }

  /** No cursor outlives a slice. */
  async *#walk<T>(table: 'index' | 'log' | 'expiring', decode: (key: Buffer, value: Buffer) => T): AsyncGenerator<T> {
    const transaction = this.#transaction;
    let start: Buffer | undefined;
    for (;;) {
      const slice: T[] = [];
      const from = start === undefined ? {} : { start };
      for (const { key, value } of this.#tables[table].getRange({ ...from, limit: ENTRIES_PER_SLICE, transaction })) {
        slice.push(decode(key, value));
        // The least key behind this one.
        start = Buffer.concat([key, Buffer.of(0)]);
      }
      yield* slice;
      if (slice.length < ENTRIES_PER_SLICE) return;
      await nextTurn();
      this.#signal?.throwIfAborted();
    }
  }
}

/** Opens the newest state of the store in a directory. Rejects with a `KVError` that names the directory. */
export async function openSnapshot(directory: string, signal?: AbortSignal): Promise<Snapshot> {
  const folder = resolve(directory);
  const dataFile = join(folder, DATA_FILE);
  signal?.throwIfAborted();
  if (!existsSync(dataFile) || statSync(dataFile).size === 0) {
    throw new KVError('unavailable', `there is no store in ${folder}`);
  }
  let root: RootDatabase<Buffer, Buffer> | undefined;
  try {
    checkDataFile(dataFile, 'read');
    const isNew = !existsSync(`${dataFile}-lock`);
    root = open<Buffer, Buffer>({ ...fileOptions, path: dataFile, readOnly: true });
    if (isNew && existsSync(`${dataFile}-lock`)) chmodSync(`${dataFile}-lock`, 0o600);
    return new Snapshot(folder, root, signal);
  } catch (error) {
    await root?.close();
    throw openFailure(folder, error);
  }
}
