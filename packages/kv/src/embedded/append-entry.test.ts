import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { open } from 'lmdb';
import { appendEntry } from './append-entry.js';
import { binary, fileOptions } from './environment.js';

test('appends entries, and refuses one that is not the greatest', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'append-entry-'));
  const root = open<Buffer, Buffer>({ ...fileOptions, path: join(directory, 'file'), eventTurnBatching: false });
  try {
    const table = root.openDB<Buffer, Buffer>({ ...binary, name: 'log' });
    const append = async (...keys: string[]): Promise<boolean[]> => {
      const placed: Promise<boolean>[] = [];
      await root.batch(() => {
        for (const key of keys) placed.push(appendEntry(table, Buffer.from(key), Buffer.from('value')));
      });
      return Promise.all(placed);
    };
    assert.deepEqual(await append('b', 'd'), [true, true]);
    assert.deepEqual(await append('c', 'e'), [false, true]);
    assert.deepEqual([...table.getKeys()].map(String), ['b', 'd', 'e']);
  } finally {
    await root.close();
    await rm(directory, { recursive: true, force: true });
  }
});
