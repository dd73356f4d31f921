import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { open, type RootDatabase } from 'lmdb';
import { buildFrom, type DisposalStack } from '@binnacle/apimachinery/disposal';
import { FIRST_REVISION } from '../../engine/index.js';
import { KVError } from '../../interface/index.js';
import { checkDataFile, DATA_FILE } from '../pages/data-file.js';
import { fileOptions, takeLockSpace } from '../environment.js';
import { damagedFile } from '../disk/failure.js';
import { requireRegularFiles } from '../disk/regular-files.js';
import { encodeLogKey } from '../format/layout.js';
import { soundRevision } from '../format/record.js';
import { openCommitGate } from '../locks/commit-gate.js';
import { checkFormat, type MetaName, readMetaNumber } from '../format/meta.js';
import { openFailure } from '../open.js';
import { checkPages } from '../pages/page-check.js';
import { PageFile, type TreeRecord } from '../pages/page-file.js';
import { entriesOf, findValue, type TableName, TABLES, tablesOf } from '../pages/page-tree.js';

/** How many entries to read before yielding to other work. */
const ENTRIES_PER_SLICE = 500;

export interface RawEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * A committed state of a store, read from outside. Commits wait only while it is opened; then another process may continue to write. Pages that
 * the writer frees are not reused until the snapshot is closed, so its file grows.
 *
 * LMDB only pins the state. Pages are read from the file and checked first, so that a corrupt file is an error and does
 * not end the process.
 */
export class Snapshot implements AsyncDisposable {
  readonly revision: number;
  readonly compactedRevision: number;
  readonly removedRevision: number;
  readonly fileBytes: number;
  readonly #file: PageFile;
  readonly #trees: Readonly<Record<TableName, TreeRecord>>;
  readonly #release: () => Promise<void>;
  readonly #signal: AbortSignal | undefined;

  constructor(directory: string, file: PageFile, release: () => Promise<void>, signal: AbortSignal | undefined) {
    this.#file = file;
    this.#release = release;
    this.#signal = signal;
    this.fileBytes = statSync(file.name).size;
    const problems = checkPages(file);
    if (problems.length > 0) throw damagedFile(file.name, problems.join('; '));
    const { expiring, index, log, meta } = tablesOf(file);
    // Its first start was killed.
    if ([expiring, index, log, meta].every((table) => (table?.entries ?? 0) === 0)) throw noStore(directory);
    if (!expiring || !index || !log || !meta)
      throw damagedFile(file.name, `it lacks one of the tables ${TABLES.join()}`);
    this.#trees = { expiring, index, log, meta };
    const read = (name: Buffer): Buffer | undefined => findValue(file, meta, name);
    checkFormat(directory, read);
    const number = (name: MetaName): number => readMetaNumber(directory, read, name);
    this.revision = Math.max(FIRST_REVISION, this.#newestLogged(), number('revision'));
    this.compactedRevision = number('compacted');
    this.removedRevision = number('removed');
  }

  count(table: TableName): number {
    return this.#trees[table].entries;
  }

  pointer(key: Buffer): Buffer | undefined {
    return findValue(this.#file, this.#trees.index, key);
  }

  record(revision: number): Buffer | undefined {
    return findValue(this.#file, this.#trees.log, encodeLogKey(revision));
  }

  /** In stored order, which is key order unless a key is corrupt. A missing value is empty. */
  async *entries(table: TableName): AsyncGenerator<RawEntry> {
    let read = 0;
    for (const node of entriesOf(this.#file, this.#trees[table])) {
      yield { key: node.key, value: this.#file.value(node) ?? Buffer.alloc(0) };
      if ((read += 1) % ENTRIES_PER_SLICE > 0) continue;
      await nextTurn();
      this.#signal?.throwIfAborted();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release();
  }

  #newestLogged(): number {
    let damaged = 0;
    for (const node of entriesOf(this.#file, this.#trees.log, true)) {
      const revision = soundRevision(node.key, this.#file.value(node));
      if (revision !== undefined) return revision + damaged;
      damaged += 1;
    }
    return damaged;
  }
}

/** Opens the newest state of the store in a directory. Rejects with a `KVError` that names the directory. */
export async function openSnapshot(directory: string, signal?: AbortSignal): Promise<Snapshot> {
  const folder = resolve(directory);
  const dataFile = join(folder, DATA_FILE);
  signal?.throwIfAborted();
  requireRegularFiles(folder);
  if (!existsSync(dataFile) || statSync(dataFile).size === 0) {
    throw noStore(folder);
  }
  try {
    return await buildFrom(async (parts) => {
      const file = await pinNewest(folder, dataFile, parts);
      return new Snapshot(folder, file, () => parts.dispose(), signal);
    });
  } catch (error) {
    throw openFailure(folder, error);
  }
}

/** The file at its newest state, which stays until the parts are disposed of. No commit may run while it is pinned. */
async function pinNewest(folder: string, dataFile: string, parts: DisposalStack): Promise<PageFile> {
  const gate = await openCommitGate(folder);
  try {
    return await gate.run(async () => {
      checkDataFile(dataFile);
      const root = pin(dataFile);
      parts.defer(() => root.close());
      const transaction = root.useReadTransaction();
      parts.defer(() => transaction.done());
      return parts.use(PageFile.open(dataFile));
    });
  } finally {
    gate.close();
  }
}

/** Opens the file as an LMDB reader, so that the writer does not reuse the pages of the newest state. */
function pin(dataFile: string): RootDatabase<Buffer, Buffer> {
  takeLockSpace(dataFile);
  return open<Buffer, Buffer>({ ...fileOptions, path: dataFile, readOnly: true });
}

function noStore(directory: string): KVError {
  return new KVError('unavailable', `there is no store in ${directory}`);
}
