import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { open } from 'lmdb';
import { type KVErrorCode, KVError } from '../interface/index.js';
import { FORMAT_VERSION } from './format/layout.js';
import { openEmbeddedKV } from './index.js';

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'kv-open-'));
  try {
    await run(join(parent, 'data'));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

async function refuses(directory: string, code: KVErrorCode, pattern: RegExp): Promise<void> {
  await assert.rejects(openEmbeddedKV({ directory }), (error) => {
    assert.ok(error instanceof KVError, `not a KVError: ${String(error)}`);
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    assert.ok(error.message.includes(directory), 'the message names the directory');
    assert.equal(error.message.includes('\n'), false);
    return true;
  });
}

async function create(directory: string, keys: number): Promise<void> {
  await using kv = await openEmbeddedKV({ directory });
  const value = Buffer.alloc(2000, 'x');
  await Promise.all(
    Array.from({ length: keys }, (_, index) =>
      kv.txn({ key: `/open/${index}`, expectedRevision: 0, operation: { type: 'put', value } }),
    ),
  );
}

/** The pid of a process that has ended. */
function endedProcess(): number {
  const { pid } = spawnSync(process.execPath, ['--version']);
  return pid;
}

describe('opening an embedded store', { timeout: 600_000 }, () => {
  it('creates the directory and its files for their owner only, and leaves no lock', () =>
    inDirectory(async (directory) => {
      await mkdir(directory, { mode: 0o755 });
      await chmod(directory, 0o755);
      const kv = await openEmbeddedKV({ directory });
      assert.equal((await stat(directory)).mode & 0o777, 0o700);
      const names = await readdir(directory);
      assert.deepEqual(names.sort(), ['commits', 'data.mdb', 'data.mdb-lock', 'lock', 'reserve']);
      for (const name of names) assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600, name);
      await kv.close();
      assert.deepEqual((await readdir(directory)).sort(), ['commits', 'data.mdb', 'data.mdb-lock', 'reserve']);
    }));

  it('rejects a directory in use, and names the process', () =>
    inDirectory(async (directory) => {
      await using kv = await openEmbeddedKV({ directory });
      await refuses(directory, 'locked', new RegExp(`in use by process ${process.pid}$`));
      assert.equal(await kv.currentRevision(), 1);
      assert.ok((await readdir(directory)).includes('lock'));
    }));

  it('rejects a directory that another process uses', () =>
    inDirectory(async (directory) => {
      await mkdir(directory);
      await writeFile(join(directory, 'lock'), JSON.stringify({ pid: process.ppid, startedAt: '' }));
      await refuses(directory, 'locked', new RegExp(`in use by process ${process.ppid}$`));
    }));

  it('takes over the lock of a process that has ended', () =>
    inDirectory(async (directory) => {
      const stale = [
        JSON.stringify({ pid: endedProcess(), startedAt: '' }),
        // The pid has been reused since, possibly by this process.
        JSON.stringify({ pid: process.ppid, startedAt: 'another boot/1' }),
        JSON.stringify({ pid: process.pid, startedAt: 'another boot/1' }),
        '',
        'no JSON',
        '{"pid":-1,"startedAt":""}',
        '[]',
      ];
      if (process.platform !== 'linux') stale.splice(1, 2);
      for (const content of stale) {
        await mkdir(directory, { recursive: true });
        await writeFile(join(directory, 'lock'), content);
        const kv = await openEmbeddedKV({ directory });
        assert.match(await readFile(join(directory, 'lock'), 'utf8'), new RegExp(`"pid":${process.pid}\\b`));
        await kv.close();
        assert.deepEqual(
          (await readdir(directory)).sort(),
          ['commits', 'data.mdb', 'data.mdb-lock', 'reserve'],
          content,
        );
      }
    }));

  it('rejects a foreign file', () =>
    inDirectory(async (directory) => {
      for (const content of ['hi', Buffer.alloc(100_000, 0x5a), Buffer.alloc(100_000)]) {
        await mkdir(directory, { recursive: true });
        await writeFile(join(directory, 'data.mdb'), content);
        await refuses(directory, 'corrupt', /is damaged: its first pages are damaged/);
        assert.equal((await readdir(directory)).includes('lock'), false);
      }
    }));

  it('rejects a truncated file', () =>
    inDirectory(async (directory) => {
      await create(directory, 2000);
      await truncate(join(directory, 'data.mdb'), 200_000);
      await refuses(directory, 'corrupt', /is damaged/);
      await truncate(join(directory, 'data.mdb'), 20_000);
      await refuses(directory, 'corrupt', /is damaged/);
    }));

  it('starts empty if the file was created and never written', () =>
    inDirectory(async (directory) => {
      await mkdir(directory);
      await writeFile(join(directory, 'data.mdb'), '');
      await create(directory, 1);
    }));

  it('rejects a newer format and invalid data', () =>
    inDirectory(async (directory) => {
      await create(directory, 1);
      const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
      for (const [format, pattern] of [
        [String(FORMAT_VERSION + 1), /has format \d+, written by a newer version/],
        ['x', /bad format/],
      ] as const) {
        const root = open<Buffer, Buffer>({ ...binary, path: join(directory, 'data.mdb'), overlappingSync: false });
        const meta = root.openDB<Buffer, Buffer>({ ...binary, name: 'meta' });
        await meta.put(Buffer.from('format'), Buffer.from(format));
        await root.close();
        await refuses(directory, 'corrupt', pattern);
      }
    }));

  it('rejects a path that is not a directory', () =>
    inDirectory(async (directory) => {
      await writeFile(directory, 'a file');
      await refuses(directory, 'unavailable', /cannot be opened/);
      await refuses(join(directory, 'below'), 'unavailable', /cannot be opened/);
    }));

  it('reuses the space that compaction frees', () =>
    inDirectory(async (directory) => {
      await using kv = await openEmbeddedKV({ directory, mapSizeBytes: 1024 * 1024 });
      const rewrite = async (): Promise<number> => {
        const { items } = await kv.range({ prefix: '/space/' });
        const revisions = new Map(items.map(({ key, modRevision }) => [key, modRevision]));
        const value = Buffer.alloc(4000, 'x');
        await Promise.all(
          Array.from({ length: 500 }, (_, index) => {
            const key = `/space/${index}`;
            return kv.txn({ key, expectedRevision: revisions.get(key) ?? 0, operation: { type: 'put', value } });
          }),
        );
        await kv.compact(await kv.currentRevision());
        return (await kv.status()).sizeBytes;
      };
      for (let round = 0; round < 5; round += 1) await rewrite();
      const settled = await rewrite();
      let size = 0;
      for (let round = 0; round < 20; round += 1) size = await rewrite();
      assert.ok(size < settled * 1.5, `${settled} bytes have become ${size}`);
    }));
});
