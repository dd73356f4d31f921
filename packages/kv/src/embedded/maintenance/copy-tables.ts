import { type Database, open, type RootDatabase } from 'lmdb';
import { KVError } from '../../interface/index.js';
import { noSpace } from '../disk/failure.js';
import { hasSpace } from '../disk/free-space.js';
import { appendEntry } from '../append-entry.js';
import { binary, type Environment, fileOptions } from '../environment.js';

type Table = Database<Buffer, Buffer>;

const TABLES = ['meta', 'index', 'log', 'expiring'] as const;
const BYTES_PER_COMMIT = 16 * 1024 * 1024;

/**
 * Copies all entries to a new file in the order of their keys, so that pages are full; LMDB's own copy keeps the gaps in pages.
 * Corrupt values stay corrupt. The copy is not on disk yet. Rejects with `full` before it starts, with `corrupt` for keys out of order,
 * with the signal's reason, or with LMDB's error.
 */
export async function copyTables(
  { directory, root }: Environment,
  file: string,
  options: { readonly progress: (done: number, total: number) => void; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const tables = TABLES.map((name) => ({ name, table: root.openDB<Buffer, Buffer>({ ...binary, name }) }));
  // LMDB must not meet a full disk: its binding may then end the process.
  const bytes = sum(tables.map(({ table }) => usedBytes(table)));
  if (!hasSpace(directory, bytes)) throw noSpace(directory);
  const total = sum(tables.map(({ table }) => table.getKeysCount()));
  const copy = open<Buffer, Buffer>({ ...fileOptions, path: file, noSync: true, eventTurnBatching: false });
  try {
    let done = 0;
    options.progress(done, total);
    for (const { name, table } of tables) {
      const target = copy.openDB<Buffer, Buffer>({ ...binary, name });
      for (const entries of groups(table)) {
        options.signal?.throwIfAborted();
        await append(copy, target, entries);
        options.progress((done += entries.length), total);
      }
    }
  } finally {
    await copy.close();
  }
}

interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

function* groups(table: Table): Generator<Entry[]> {
  let group: Entry[] = [];
  let bytes = 0;
  for (const { key, value } of table.getRange({})) {
    group.push({ key: Buffer.from(key), value: Buffer.from(value) });
    bytes += key.length + value.length;
    if (bytes < BYTES_PER_COMMIT) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}

async function append(copy: RootDatabase<Buffer, Buffer>, target: Table, entries: readonly Entry[]): Promise<void> {
  const placed: Promise<boolean>[] = [];
  await copy.batch(() => {
    for (const { key, value } of entries) placed.push(appendEntry(target, key, value));
  });
  if ((await Promise.all(placed)).includes(false))
    throw new KVError('corrupt', 'the keys of the store are out of order; run store repair');
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** The size of the pages of a table, in bytes. */
function usedBytes(table: Table): number {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = table.getStats() as PageCounts;
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
}

interface PageCounts {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}
