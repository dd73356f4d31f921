import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lockFile } from '../../locks/index.js';
import { openEmbeddedKV } from '../index.js';
import { backupStore, checkStore, restoreStore } from './index.js';
import { contentOf, fill, inDirectory, object, write } from './store.testing.js';

const options = { timeout: 600_000 };
const script = (name: string): string => fileURLToPath(new URL(`./${name}.testing.js`, import.meta.url));

const leftovers = async (parent: string): Promise<string[]> =>
  (await readdir(parent)).filter((name) => name.endsWith('.tmp')).sort();

/** Runs until it kills itself or ends. */
async function run(...args: readonly string[]): Promise<string | null> {
  const child = spawn(process.execPath, [script('kill-maintenance'), ...args], { stdio: 'inherit' });
  await once(child, 'close');
  return child.signalCode;
}

describe('maintenance', () => {
  it('a backup under load has one revision', options, () =>
    inDirectory(async (parent) => {
      const [directory, file] = [join(parent, 'store'), join(parent, 'file')];
      const keys = 1500;
      const writer = spawn(process.execPath, [script('load-writer'), directory, String(keys)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        await once(writer.stdout, 'data');
        let last = 0;
        for (let round = 0; round < 4; round += 1) {
          const summary = await backupStore({ directory, file });
          const report = await checkStore({ directory });
          assert.deepEqual(report.problems, [], 'of the running store');
          assert.ok(report.revision >= summary.revision && summary.revision > last, 'the store goes on');
          last = summary.revision;
          const copy = join(parent, `copy-${round}`);
          await restoreStore({ directory: copy, file });
          assert.deepEqual((await checkStore({ directory: copy })).problems, []);
          const { items, revision } = await contentOf(copy);
          assert.equal(revision, summary.revision);
          assert.equal(items.length, keys);
          const oldest = Math.min(...items.map(({ modRevision }) => modRevision));
          assert.equal(oldest, revision - keys + 1, 'every value is of its place in the order of writes');
        }
        assert.equal(writer.exitCode, null, 'the writer has ended');
      } finally {
        writer.kill('SIGKILL');
        await once(writer, 'close');
      }
      assert.deepEqual((await checkStore({ directory })).problems, [], 'after a kill');
    }),
  );

  it("a killed backup does not hold the store's space", options, () =>
    inDirectory(async (parent) => {
      const [directory, file] = [join(parent, 'store'), join(parent, 'file')];
      await using kv = await openEmbeddedKV({ directory });
      const rewrite = async (): Promise<number> => {
        await Promise.all(Array.from({ length: 200 }, (_, key) => write(kv, `/registry/${key}`, object('', 4000))));
        await kv.compact(await kv.currentRevision());
        return (await kv.status()).sizeBytes;
      };
      for (let round = 0; round < 10; round += 1) await rewrite();
      assert.equal(await run('backup', directory, file, '100'), 'SIGKILL');
      const settled = await rewrite();
      let size = 0;
      for (let round = 0; round < 40; round += 1) size = await rewrite();
      assert.ok(size < settled * 1.5, `${settled} bytes have become ${size}`);
    }),
  );

  it('a killed backup leaves the old file unchanged', options, () =>
    inDirectory(async (parent) => {
      const [directory, file] = [join(parent, 'store'), join(parent, 'file')];
      const { count } = await fill(directory, 1500);
      assert.equal(await run('backup', directory, file, '1'), 'SIGKILL');
      assert.equal(existsSync(file), false);
      await backupStore({ directory, file });
      const before = await readFile(file);
      for (const at of [1, count >> 1, count]) {
        assert.equal(await run('backup', directory, file, String(at)), 'SIGKILL');
        assert.deepEqual(await readFile(file), before);
      }
      assert.equal((await leftovers(parent)).length, 1, 'each removes that of the one before it');
      const others = [`${file}.old.tmp`, join(parent, 'other.0123456789ab.tmp')];
      for (const other of others) await writeFile(other, '');
      const underway = await lockFile(`${file}.0123456789ab.tmp`);
      await backupStore({ directory, file });
      assert.deepEqual(
        await leftovers(parent),
        ['file.0123456789ab.tmp', 'file.old.tmp', 'other.0123456789ab.tmp'],
        'those of others, and of a backup that is under way, stay',
      );
      underway?.release();
      assert.deepEqual((await checkStore({ directory })).problems, []);
    }),
  );

  it('a killed compaction leaves the store intact, and the next one succeeds', options, () =>
    inDirectory(async (directory) => {
      const before = await fill(directory, 1500);
      for (const at of ['0', 'end']) {
        assert.equal(await run('compact', directory, '', at), 'SIGKILL');
        assert.deepEqual((await checkStore({ directory })).problems, []);
        assert.deepEqual(await contentOf(directory), before);
      }
      assert.equal(await run('compact', directory, '', '-1'), null);
      assert.deepEqual((await checkStore({ directory })).problems, []);
      assert.deepEqual(await contentOf(directory), before);
      assert.deepEqual((await readdir(directory)).sort(), ['commits', 'data.mdb', 'data.mdb-lock', 'reserve']);
    }),
  );

  it('a killed restore leaves no store, and the next one succeeds', options, () =>
    inDirectory(async (parent) => {
      const [directory, copy, file] = [join(parent, 'store'), join(parent, 'copy'), join(parent, 'file')];
      const before = await fill(directory, 1500);
      await backupStore({ directory, file });
      for (const at of [1, before.count >> 1, before.count]) {
        assert.equal(await run('restore', copy, file, String(at)), 'SIGKILL');
        assert.equal(existsSync(copy), false);
        await assert.rejects(openEmbeddedKV({ directory: copy }), {
          code: 'unavailable',
          message:
            /the restore into .*copy has not finished; run "binnacle store restore" again, or remove .*copy\.restoring/,
        });
        assert.equal(existsSync(copy), false, 'nothing is made');
      }
      assert.equal(await run('restore', copy, file, '0'), null);
      assert.deepEqual(await contentOf(copy), before);
      assert.deepEqual((await readdir(parent)).sort(), ['copy', 'file', 'store']);
    }),
  );
});
