import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { KVError, type KV } from '../interface/index.js';
import { RecordingWatch } from '../testing/index.js';
import { openEmbeddedKV } from './index.js';
import { backupStore, checkStore } from './maintenance/index.js';

const put = (kv: KV, key: string, value: string, expectedRevision = 0) =>
  kv.txn({ key, expectedRevision, operation: { type: 'put', value: Buffer.from(JSON.stringify(value)) } });
const keysOf = (items: readonly { readonly key: string }[]): string[] => items.map(({ key }) => key);

/** A store with `/a`, `/b` and `/c` in which the value of `/b`, at revision 3, is corrupt. */
async function withDamage(run: (kv: KV, directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kv-damaged-'));
  try {
    const whole = await openEmbeddedKV({ directory });
    for (const key of ['/a', '/b', '/c']) await put(whole, key, `value of ${key}`);
    await whole.close();
    const file = join(directory, 'data.mdb');
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf('value of /b'); at >= 0; at = bytes.indexOf('value of /b', at)) bytes[at] = 0x56;
    writeFileSync(file, bytes);
    await using kv = await openEmbeddedKV({ directory });
    await run(kv, directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function namesB(error: unknown): true {
  assert.ok(error instanceof KVError);
  assert.equal(error.code, 'corrupt');
  assert.equal(error.message, 'the stored data of "/b" (revision 3) is damaged');
  assert.deepEqual(error.damaged, [{ key: '/b', revision: 3 }]);
  return true;
}

describe('a corrupt value', { timeout: 600_000 }, () => {
  it('fails only the reads of its key', () =>
    withDamage(async (kv) => {
      await assert.rejects(kv.range({ prefix: '/b', exact: true }), namesB);
      await assert.rejects(kv.range({ prefix: '/' }), namesB);
      for (const key of ['/a', '/c']) assert.deepEqual(keysOf((await kv.range({ prefix: key })).items), [key]);
      const page = await kv.range({ prefix: '/', limit: 1 });
      assert.deepEqual([keysOf(page.items), page.count, page.more], [['/a'], 3, true]);
    }));

  it('is named in the result on request', () =>
    withDamage(async (kv) => {
      const { items, damaged, count } = await kv.range({ prefix: '/', damaged: 'report' });
      assert.deepEqual([keysOf(items), damaged, count], [['/a', '/c'], [{ key: '/b', revision: 3 }], 3]);
      const one = await kv.range({ prefix: '/b', exact: true, damaged: 'report' });
      assert.deepEqual([one.items, one.damaged], [[], [{ key: '/b', revision: 3 }]]);
      assert.equal((await kv.range({ prefix: '/c', damaged: 'report' })).damaged, undefined);
    }));

  it('is not overwritten, and does not fail other writes of the commit', () =>
    withDamage(async (kv) => {
      const results = await Promise.allSettled([
        put(kv, '/a', 'new', 2),
        put(kv, '/b', 'new', 3),
        put(kv, '/b', 'new', 0),
        put(kv, '/d', 'new'),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
      );
      for (const result of results) if (result.status === 'rejected') namesB(result.reason);
      assert.equal(await kv.currentRevision(), 6);
    }));

  it('can be deleted unread on request, only at its revision', () =>
    withDamage(async (kv) => {
      using watching = new RecordingWatch(kv, '/', 4);
      const remove = (expectedRevision: number, ignoreReadError: boolean) =>
        kv.txn({ key: '/b', expectedRevision, operation: { type: 'delete', ignoreReadError } });
      await assert.rejects(remove(3, false), namesB);
      assert.deepEqual(await remove(2, true), { succeeded: false, revision: 4 });
      assert.deepEqual(await remove(3, true), { succeeded: true, revision: 5 });
      await watching.reached(5);
      assert.deepEqual(watching.lines, ['5 delete /b 3']);
      assert.deepEqual(keysOf((await kv.range({ prefix: '/' })).items), ['/a', '/c']);
      assert.equal((await put(kv, '/b', 'new')).succeeded, true);
    }));

  it('ends a watch that starts before it as compacted', () =>
    withDamage(async (kv) => {
      using before = new RecordingWatch(kv, '/', 1);
      const error = await before.over();
      assert.ok(error instanceof KVError);
      assert.equal(error.code, 'compacted');
      assert.match(error.message, /history of revision 3 is damaged/);
      using besides = new RecordingWatch(kv, '/c', 1);
      await besides.reached(4);
      assert.deepEqual(besides.lines, ['4 put /c 4 "value of /c"']);
    }));

  it('is found by the check, and fails a backup, which leaves no file', () =>
    withDamage(async (kv, directory) => {
      assert.match((await checkStore({ directory })).problems.join(), /the value of "\/b", of revision 3, is damaged/);
      const before = await readdir(directory);
      await assert.rejects(backupStore({ directory, file: join(directory, 'backup') }), namesB);
      assert.deepEqual(await readdir(directory), before);
      assert.equal(await kv.currentRevision(), 4);
    }));
});

describe('a store whose end is cut off', { timeout: 600_000 }, () => {
  it('is not opened without the pages of its large values, and keeps its size', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kv-cut-'));
    try {
      const kv = await openEmbeddedKV({ directory });
      for (const key of ['/a', '/b', '/c', '/d']) await put(kv, key, 'x'.repeat(100_000));
      await kv.close();
      const file = join(directory, 'data.mdb');
      const size = statSync(file).size - 200_000;
      truncateSync(file, size);
      await assert.rejects(openEmbeddedKV({ directory }), { code: 'corrupt', message: /data\.mdb is damaged: / });
      assert.equal(statSync(file).size, size);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
