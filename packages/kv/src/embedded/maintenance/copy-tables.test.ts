import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { open } from 'lmdb';
import { binary, fileOptions, openEnvironment } from '../environment.js';
import { encodeLogKey } from '../format/layout.js';
import { copyTables } from './copy-tables.js';

const RECORDS = 300;
const value = Buffer.alloc(4400, 'x');

describe('copying the tables of a store', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'copy-tables-'));
  const environment = await openEnvironment(directory, undefined);
  await environment.commit(() => {
    for (let revision = 1; revision <= RECORDS; revision += 1) void environment.log.put(encodeLogKey(revision), value);
  });
  after(async () => {
    await environment.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('copies all entries, and fills the pages', async () => {
    const file = join(directory, 'copy');
    const reported: string[] = [];
    const progress = (done: number, total: number): void => void reported.push(`${done}/${total}`);
    await copyTables(environment, file, { progress, signal: undefined });
    const copy = open<Buffer, Buffer>({ ...fileOptions, path: file, readOnly: true });
    try {
      const log = copy.openDB<Buffer, Buffer>({ ...binary, name: 'log' });
      const meta = copy.openDB<Buffer, Buffer>({ ...binary, name: 'meta' });
      assert.equal(log.getKeysCount(), RECORDS);
      assert.deepEqual(log.get(encodeLogKey(RECORDS)), value);
      assert.ok(meta.getKeysCount() > 0);
      const total = RECORDS + meta.getKeysCount();
      assert.deepEqual([reported[0], reported.at(-1)], [`0/${total}`, `${total}/${total}`]);
      // A page of 16 KiB has space for three records; LMDB's own order of splits leaves two.
      assert.deepEqual(leafPages(log), RECORDS / 3);
      assert.ok(Number(leafPages(environment.log)) > RECORDS / 2.5);
    } finally {
      await copy.close();
    }
  });

  it('stops when the signal aborts', async () => {
    const signal = AbortSignal.abort(new Error('interrupted'));
    const copied = copyTables(environment, join(directory, 'stopped'), { progress: () => undefined, signal });
    await assert.rejects(copied, /interrupted/);
  });
});

const leafPages = (table: { getStats(): object }): unknown => Reflect.get(table.getStats(), 'treeLeafPageCount');
