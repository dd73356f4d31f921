import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { LocalKV } from '../../interface/index.js';
import { openEnvironment } from '../environment.js';
import { openEmbeddedKV } from '../index.js';
import { damageLargeValue } from '../pages/damage-large-value.testing.js';
import { backupStore, checkStore, compactStore, purgeStore, repairStore } from './index.js';
import { contentOf, inDirectory, object, remove, write } from './store.testing.js';

const KEY = '/registry/secrets/default/db';
const OTHER = '/registry/secrets/default/other';

async function opened<T>(directory: string, use: (kv: LocalKV, clock: VirtualClock) => Promise<T>): Promise<T> {
  const clock = new VirtualClock(1_000_000);
  await using kv = await openEmbeddedKV({ directory, clock });
  return await use(kv, clock);
}

const holds = async (directory: string, text: string): Promise<boolean> =>
  (await readFile(join(directory, 'data.mdb'))).includes(text);

/** A key with a value from before a compaction, one after it, and a deletion. */
async function fill(directory: string): Promise<{ before: number; deleted: number }> {
  return opened(directory, async (kv, clock) => {
    await write(kv, KEY, object('the first password'));
    await write(kv, OTHER, object('kept'));
    await kv.compact(await kv.currentRevision());
    clock.skip(1000);
    await write(kv, KEY, object('the second password'));
    const before = await kv.currentRevision();
    clock.skip(1000);
    await remove(kv, KEY);
    const deleted = await kv.currentRevision();
    await write(kv, OTHER, object('changed'));
    return { before, deleted };
  });
}

describe('purge', () => {
  it('leaves nothing of a deleted key, in no state, history, file or backup', () =>
    inDirectory(async (directory) => {
      const { before, deleted } = await fill(directory);
      const content = await contentOf(directory);
      assert.equal(await holds(directory, 'password'), true);
      const { events } = await purgeStore({ directory, key: KEY });
      assert.equal(events, 3);
      assert.equal(await holds(directory, 'password'), false);
      assert.equal(await holds(directory, KEY), false);
      assert.deepEqual((await checkStore({ directory })).problems, []);
      assert.deepEqual(await contentOf(directory), content);
      await opened(directory, async (kv) => {
        const keysAt = async (revision: number) =>
          (await kv.range({ prefix: '/', revision })).items.map(({ key }) => key);
        assert.deepEqual([await keysAt(before), await keysAt(deleted)], [[OTHER], [OTHER]]);
        const { events: past } = await kv.history({ prefix: '/', limit: 10 });
        assert.deepEqual(
          past.map(({ revision, key }) => `${key} ${revision - deleted}`),
          [`${OTHER} 1`],
        );
        assert.equal(await kv.revisionAt(1_001_500), before, 'the times of the events stay');
        const fork = await kv.forkAt(before);
        assert.deepEqual(
          (await fork.range({ prefix: '/' })).items.map(({ key }) => key),
          [OTHER],
        );
        await fork.close();
        // The revisions go on, and the key may return.
        await write(kv, KEY, object('new'));
        assert.equal(await kv.currentRevision(), deleted + 2);
      });
      assert.deepEqual((await checkStore({ directory })).problems, []);
      const file = join(directory, 'backup');
      await backupStore({ directory, file });
      assert.equal((await readFile(file)).includes('password'), false);
      await compactStore({ directory });
      await repairStore({ directory });
      assert.deepEqual((await checkStore({ directory })).problems, []);
      assert.deepEqual(
        (await contentOf(directory)).items.map(({ key }) => key),
        [KEY, OTHER],
      );
    }));

  it('removes the unfinished files of killed commands, which have the values too', () =>
    inDirectory(async (directory) => {
      await fill(directory);
      const [copy, building] = [join(directory, 'data.mdb.compacting'), join(directory, 'repairing')];
      await mkdir(building);
      for (const file of [copy, join(building, 'data.mdb')]) await copyFile(join(directory, 'data.mdb'), file);
      await purgeStore({ directory, key: KEY });
      assert.deepEqual([existsSync(copy), existsSync(building)], [false, false]);
    }));

  it('refuses a key that exists, and does nothing to one that never did', () =>
    inDirectory(async (directory) => {
      await fill(directory);
      await assert.rejects(purgeStore({ directory, key: OTHER }), /other" exists; only what is deleted can be purged/);
      assert.equal((await purgeStore({ directory, key: '/registry/secrets/default/d' })).events, 0);
      assert.equal(await holds(directory, 'password'), true);
      await assert.rejects(purgeStore({ directory: join(directory, 'none'), key: KEY }), /there is no store in/);
      const signal = AbortSignal.abort(new Error('interrupted'));
      await assert.rejects(purgeStore({ directory, key: KEY, signal }), /interrupted/);
    }));

  it('refuses a key that the index has lost, and keeps its value', () =>
    inDirectory(async (directory) => {
      await fill(directory);
      const environment = await openEnvironment(directory, undefined);
      await environment.commit(() => void environment.index.remove(Buffer.from(OTHER)));
      await environment.close();
      const lacking = { code: 'corrupt', message: `the index of the store lacks "${OTHER}", which exists` };
      await assert.rejects(purgeStore({ directory, key: OTHER }), lacking);
      await repairStore({ directory });
      assert.deepEqual(
        (await contentOf(directory)).items.map(({ key, value }) => [key, Buffer.from(value)]),
        [[OTHER, object('changed')]],
      );
    }));

  it('refuses a store whose damaged keys are out of order', () =>
    inDirectory(async (directory) => {
      const keys = Array.from({ length: 8 }, (_, index) => `/registry/things/${index}`);
      await opened(directory, async (kv) => {
        for (const key of keys) await write(kv, key, object(key));
      });
      const file = join(directory, 'data.mdb');
      const bytes = await readFile(file);
      const [name = ''] = keys;
      for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
        // LMDB stores the length of a key before it. Records have the key in their value.
        if (bytes.readUInt16LE(at - 2) === name.length) bytes[at + name.length - 1] = 0x7a;
      }
      await writeFile(file, bytes);
      const damaged = { code: 'corrupt', message: /index: page \d+ has damaged keys out of order/ };
      await assert.rejects(purgeStore({ directory, key: name }), damaged);
    }));

  it('frees no large value whose first page is damaged', () =>
    inDirectory(async (directory) => {
      await opened(directory, async (kv) => {
        await write(kv, KEY, object('a password', 20_000));
        await remove(kv, KEY);
      });
      const content = await contentOf(directory);
      damageLargeValue(directory);
      const file = join(directory, 'data.mdb');
      const before = await readFile(file);
      await assert.rejects(purgeStore({ directory, key: KEY }), {
        code: 'corrupt',
        message: /log: page \d+ is damaged/,
      });
      assert.deepEqual(await readFile(file), before);
      assert.deepEqual(await contentOf(directory), content);
    }));
});
