import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type KeyValue, type KV, KVError, type TxnResult } from '../../interface/index.js';
import { openEmbeddedKV } from '../index.js';
import { checkStore, purgeStore } from '../maintenance/index.js';

/** Mounts a file system of this many bytes; undefined if this user may not mount. */
function mountSmall(bytes: number): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'kv-small-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory]);
  if (status === 0) return directory;
  rmdirSync(directory);
  return undefined;
}

function unmount(directory: string): void {
  spawnSync('umount', [directory]);
  rmSync(directory, { recursive: true, force: true });
}

/** Fills the rest of the disk, as another program may. */
async function fillUp(file: string): Promise<void> {
  for (const bytes of [65_536, 4096, 1]) {
    for (let fits = true; fits; ) fits = await append(file, bytes);
  }
}

async function append(file: string, bytes: number): Promise<boolean> {
  return appendFile(file, Buffer.alloc(bytes)).then(
    () => true,
    () => false,
  );
}

const put = (kv: KV, key: string): Promise<TxnResult> =>
  kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: Buffer.alloc(20_000, key) } });

async function removeAll(kv: KV, keys: number): Promise<void> {
  const { items } = await kv.range({ prefix: '/full/', limit: keys });
  const results = await Promise.all(
    items.map(({ key, modRevision: expectedRevision }) =>
      kv.txn({ key, expectedRevision, operation: { type: 'delete' } }),
    ),
  );
  assert.ok(results.every(({ succeeded }) => succeeded));
}

const isFull = (error: unknown): boolean => error instanceof KVError && error.code === 'full';

/** Writes until the disk is full; returns the number of acknowledged writes. */
async function writeAll(kv: KV): Promise<number> {
  for (let count = 0; ; count += 1) {
    try {
      await put(kv, `/full/${count}`);
    } catch (error) {
      assert.ok(isFull(error), String(error));
      return count;
    }
  }
}

const probe = mountSmall(4096);
if (probe !== undefined) unmount(probe);

describe('a full disk', { timeout: 600_000, skip: probe === undefined && 'this user may not mount' }, () => {
  const onSmallDisk = async (run: (directory: string, fill: string) => Promise<void>): Promise<void> => {
    const mount = mountSmall(10 * 1024 * 1024);
    assert.ok(mount !== undefined);
    try {
      await run(join(mount, 'store'), join(mount, 'fill'));
    } finally {
      unmount(mount);
    }
  };

  it('refuses writes and reports it, still reads, deletes and compacts, and reuses the freed space', () =>
    onSmallDisk(async (directory, fill) => {
      await using kv = await openEmbeddedKV({ directory });
      await kv.checkHealth();
      const acknowledged = await writeAll(kv);
      assert.ok(acknowledged > 50, String(acknowledged));
      await fillUp(fill);
      await assert.rejects(kv.checkHealth(), isFull);
      assert.equal((await kv.range({ prefix: '/full/' })).count, acknowledged);
      await removeAll(kv, acknowledged - 10);
      await assert.rejects(put(kv, '/full/more'), isFull, 'the reserve is not for writes');
      await kv.compact(await kv.currentRevision());
      await kv.checkHealth();
      for (let count = 0; count < 10; count += 1) await put(kv, `/more/${count}`);
      assert.equal((await kv.range({ prefix: '/full/' })).count, 10);
    }));

  it('marks keys for deletion, but not without end', () =>
    onSmallDisk(async (directory, fill) => {
      await using kv = await openEmbeddedKV({ directory });
      const acknowledged = await writeAll(kv);
      await fillUp(fill);
      const mark = ({ key, modRevision: expectedRevision }: KeyValue) =>
        kv.txn({ key, expectedRevision, operation: { type: 'put', value: Buffer.alloc(20_000), forDeletion: true } });
      let marked = 0;
      await assert.rejects(async () => {
        for (; ; marked += 1)
          for (const item of (await kv.range({ prefix: '/full/', limit: 1 })).items) await mark(item);
      }, isFull);
      assert.ok(marked >= 10 && marked <= 100, String(marked));
      await assert.rejects(put(kv, '/full/more'), isFull);
      await removeAll(kv, acknowledged);
      assert.equal((await kv.range({ prefix: '/full/' })).count, 0);
    }));

  it('recovers when another program frees space', () =>
    onSmallDisk(async (directory, fill) => {
      await using kv = await openEmbeddedKV({ directory });
      await put(kv, '/full/first');
      await fillUp(fill);
      assert.ok((await writeAll(kv)) < 50);
      await removeAll(kv, 100);
      await assert.rejects(kv.checkHealth(), isFull);
      rmSync(fill);
      await kv.checkHealth();
      for (let count = 0; count < 50; count += 1) await put(kv, `/more/${count}`);
    }));

  it('lets a store open and delete', () =>
    onSmallDisk(async (directory, fill) => {
      const first = await openEmbeddedKV({ directory });
      const acknowledged = await writeAll(first);
      await fillUp(fill);
      await first.close();
      for (const left of [acknowledged - 20, acknowledged - 40]) {
        await using kv = await openEmbeddedKV({ directory });
        await assert.rejects(kv.checkHealth(), isFull);
        await removeAll(kv, 20);
        assert.equal((await kv.range({ prefix: '/full/' })).count, left);
      }
    }));

  it('lets notes shrink', () =>
    onSmallDisk(async (directory, fill) => {
      await using kv = await openEmbeddedKV({ directory });
      await kv.writeNote?.('names', Buffer.from('one two'));
      await writeAll(kv);
      await fillUp(fill);
      await assert.rejects(async () => kv.writeNote?.('names', Buffer.from('one two three')), isFull);
      await kv.writeNote?.('names', Buffer.from('one'));
      assert.equal(Buffer.from(kv.readNote?.('names') ?? []).toString(), 'one');
      await kv.writeNote?.('names', Buffer.alloc(0));
      await removeAll(kv, 100);
    }));

  it('purges nothing without space, and all of it once there is some', () =>
    onSmallDisk(async (directory, fill) => {
      const kv = await openEmbeddedKV({ directory });
      const { revision } = await put(kv, '/full/secret');
      await kv.txn({ key: '/full/secret', expectedRevision: revision, operation: { type: 'delete' } });
      await kv.close();
      await fillUp(fill);
      await assert.rejects(purgeStore({ directory, key: '/full/secret' }), isFull);
      rmSync(fill);
      const { events } = await purgeStore({ directory, key: '/full/secret' });
      assert.equal(events, 2);
      assert.deepEqual((await checkStore({ directory })).problems, []);
    }));

  it('rejects a new store with one sentence', () =>
    onSmallDisk(async (directory, fill) => {
      await fillUp(fill);
      await assert.rejects(openEmbeddedKV({ directory }), (error) => {
        assert.ok(isFull(error), String(error));
        assert.match(String(error), /no space left to write in .*store$/);
        return true;
      });
    }));
});

describe('a read-only disk', { timeout: 600_000, skip: probe === undefined && 'this user may not mount' }, () => {
  it('rejects a store with one sentence', async () => {
    const mount = mountSmall(10 * 1024 * 1024);
    assert.ok(mount !== undefined);
    try {
      const directory = join(mount, 'store');
      await (await openEmbeddedKV({ directory })).close();
      assert.equal(spawnSync('mount', ['-o', 'remount,ro', mount]).status, 0);
      for (const place of [directory, join(mount, 'new')]) {
        await assert.rejects(openEmbeddedKV({ directory: place }), {
          code: 'unavailable',
          message: /read-only file system/,
        });
      }
    } finally {
      unmount(mount);
    }
  });
});
