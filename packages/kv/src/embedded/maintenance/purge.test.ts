import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { LocalKV } from '../../interface/index.js';
import { openEmbeddedKV } from '../index.js';
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
});
