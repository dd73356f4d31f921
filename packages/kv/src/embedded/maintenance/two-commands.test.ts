import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { lockFile } from '../../locks/index.js';
import { openEmbeddedKV } from '../index.js';
import { backupStore, checkStore, compactStore, purgeStore, repairStore, restoreStore } from './index.js';
import { contentOf, fill, inDirectory } from './store.testing.js';

describe('two maintenance commands on one store', () => {
  it('leave each other their files: the refused one removes none', () =>
    inDirectory(async (directory) => {
      await fill(directory, 20);
      await using _running = await openEmbeddedKV({ directory });
      const [copy, building] = [join(directory, 'data.mdb.compacting'), join(directory, 'repairing')];
      await writeFile(copy, 'a copy');
      await mkdir(building);
      for (const run of [
        () => compactStore({ directory }),
        () => purgeStore({ directory, key: '/registry/gone' }),
        () => repairStore({ directory }),
      ]) {
        await assert.rejects(run(), { code: 'locked' });
        assert.equal(await readFile(copy, 'utf8'), 'a copy');
        assert.ok(existsSync(building));
      }
    }));

  it('never replace the store by a file that they have just created', () =>
    inDirectory(async (directory) => {
      const absent = join(directory, 'absent');
      await assert.rejects(lockFile(absent, { create: false }), { code: 'ENOENT' });
      assert.equal(existsSync(absent), false);
    }));

  it('run in turns, whichever comes first', () =>
    inDirectory(async (directory) => {
      const before = await fill(directory, 300);
      const runs = Array.from({ length: 12 }, (_, index) =>
        (index % 3 === 2 ? repairStore : compactStore)({ directory }).then(
          () => 'done',
          (error: unknown) => String(error),
        ),
      );
      const answers = await Promise.all(runs);
      assert.ok(answers.includes('done'), answers.join('\n'));
      assert.deepEqual(
        answers.filter((answer) => answer !== 'done' && !/is in use by/.test(answer)),
        [],
      );
      assert.deepEqual((await checkStore({ directory })).problems, []);
      assert.deepEqual(await contentOf(directory), before);
    }));

  it('restore one store of two, whole', () =>
    inDirectory(async (parent) => {
      const [directory, file, copy] = [join(parent, 'store'), join(parent, 'file'), join(parent, 'copy')];
      const before = await fill(directory, 300);
      await backupStore({ directory, file });
      const runs = await Promise.allSettled(Array.from({ length: 4 }, () => restoreStore({ directory: copy, file })));
      assert.equal(runs.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.deepEqual((await checkStore({ directory: copy })).problems, []);
      assert.deepEqual(await contentOf(copy), before);
    }));
});
