import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Clock, systemClock, VirtualClock } from '@binnacle/apimachinery/clock';
import type { KV } from '../interface/index.js';
import {
  bytes,
  historyOf,
  keysOf,
  noteOf,
  put,
  rejects,
  remove,
  text,
  RecordingWatch,
  writeNote,
  written,
} from './helpers.js';

/** Opens the store with this name. Opening it again after a close returns the same data. */
export type OpenDurableKV = (options: { readonly name: string; readonly clock: Clock }) => Promise<KV>;

/** Declares the tests of stores that persist. */
export function durableKVSuite(name: string, open: OpenDurableKV): void {
  describe(`${name}: closed and reopened`, { timeout: 600_000 }, () => {
    it('finds values, revisions and history', async () => {
      const options = { name: 'history', clock: systemClock };
      const first = await open(options);
      const base = await first.currentRevision();
      await written(put(first, '/d/a', '1'));
      await written(put(first, '/d/b', '1'));
      await written(put(first, '/d/a', '2', base + 1));
      await written(remove(first, '/d/b', base + 2));
      await first.close();
      await using kv = await open(options);
      assert.equal(await kv.currentRevision(), base + 4);
      const { items } = await kv.range({ prefix: '/d/' });
      assert.deepEqual(
        items.map(({ key, value, createRevision, modRevision }) => [
          key,
          text(value),
          createRevision - base,
          modRevision - base,
        ]),
        [['/d/a', '2', 1, 3]],
      );
      assert.deepEqual(await keysOf(kv, '/d/', base + 2), ['/d/a', '/d/b']);
      using watching = new RecordingWatch(kv, '/d/', base);
      await watching.reached(base + 4);
      assert.deepEqual(watching.lines, [
        `${base + 1} put /d/a ${base + 1} 1`,
        `${base + 2} put /d/b ${base + 2} 1`,
        `${base + 3} put /d/a ${base + 1} 2 (was ${base + 1} ${base + 1} 1)`,
        `${base + 4} delete /d/b ${base + 2} (was ${base + 2} ${base + 2} 1)`,
      ]);
      assert.equal(await written(put(kv, '/d/b', '2')), base + 5);
    });

    it('finds the tag of a value', async () => {
      const options = { name: 'tag', clock: systemClock };
      const first = await open(options);
      const operation = { type: 'put', value: new Uint8Array(1), tag: 12 } as const;
      await written(first.txn({ key: '/d/a', expectedRevision: 0, operation }));
      await first.close();
      await using kv = await open(options);
      const { items } = await kv.range({ prefix: '/d/' });
      assert.deepEqual(
        items.map(({ tag }) => tag),
        [12],
      );
    });

    it('finds times and authors', async () => {
      const options = { name: 'authors', clock: systemClock };
      const first = await open(options);
      const mark = '0a1b2c3d-0000-4000-8000-00112233ffee';
      for (const name of ['ann', 'bob', 'ann']) {
        const operation = { type: 'put', value: bytes('{}') } as const;
        const { items } = await first.range({ prefix: '/d/a', exact: true });
        const expectedRevision = items[0]?.modRevision ?? 0;
        await written(first.txn({ key: '/d/a', expectedRevision, operation, author: { name, mark } }));
      }
      const before = await historyOf(first, { prefix: '/d/', limit: 10 });
      await first.close();
      await using kv = await open(options);
      const after = await historyOf(kv, { prefix: '/d/', limit: 10 });
      assert.deepEqual(after, before);
      assert.deepEqual(
        after.events.map(({ author }) => author),
        ['ann', 'bob', 'ann'].map((name) => ({ name, mark })),
      );
    });

    it('finds the newest note', async () => {
      const options = { name: 'note', clock: systemClock };
      const first = await open(options);
      const base = await first.currentRevision();
      for (const note of ['1', '2']) await writeNote(first, '/d/', bytes(note));
      await first.close();
      await using kv = await open(options);
      assert.equal(text(noteOf(kv, '/d/')), '2');
      assert.equal(await kv.currentRevision(), base);
    });

    it('keeps a compaction, including the revision if it removed the newest record', async () => {
      const options = { name: 'compaction', clock: systemClock };
      const first = await open(options);
      const created = await written(put(first, '/d/a', '1'));
      const deleted = await written(remove(first, '/d/a', created));
      await first.compact(deleted);
      await first.close();
      await using kv = await open(options);
      assert.equal(await kv.currentRevision(), deleted);
      assert.equal((await kv.status()).compactedRevision, deleted);
      await rejects(kv.range({ prefix: '/d/', revision: created }), 'compacted');
      assert.equal(await written(put(kv, '/d/a', '2')), deleted + 1);
    });

    it('resumes an interrupted compaction', async () => {
      const options = { name: 'interrupted', clock: systemClock };
      const first = await open(options);
      let revision = 0;
      for (let round = 0; round < 3000; round += 1)
        revision = (await put(first, '/d/a', String(round), revision)).revision;
      const compacting = first.compact(revision);
      await first.close();
      await compacting.catch(() => undefined);
      await using kv = await open(options);
      await kv.compact(revision);
      const { items } = await kv.range({ prefix: '/d/', revision });
      assert.deepEqual(
        items.map(({ value }) => text(value)),
        ['2999'],
      );
    });

    it('expires overdue keys at once, and the others later', async () => {
      const clock = new VirtualClock();
      const options = { name: 'expiration', clock };
      const first = await open(options);
      await written(put(first, '/d/short', 'x', 0, 10));
      await written(put(first, '/d/long', 'x', 0, 100));
      const base = await written(put(first, '/d/ever', 'x'));
      await first.close();
      clock.skip(50_000);
      await using kv = await open(options);
      using watching = new RecordingWatch(kv, '/d/', base);
      await kv.currentRevision();
      await watching.reached(base + 1);
      assert.deepEqual(await keysOf(kv, '/d/'), ['/d/ever', '/d/long']);
      clock.skip(60_000);
      await kv.currentRevision();
      await watching.reached(base + 2);
      assert.deepEqual(await keysOf(kv, '/d/'), ['/d/ever']);
    });
  });
}
