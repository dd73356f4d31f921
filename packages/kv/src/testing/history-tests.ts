import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { keysOf, put, RecordingWatch, rejects, remove, text, writeEach, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

export function historyTests(open: OpenKV, local: boolean): void {
  it('reads the state as of any revision', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    await written(put(kv, '/h/a', '1'));
    await written(put(kv, '/h/b', '1'));
    await written(put(kv, '/h/a', '2', base + 1));
    await written(remove(kv, '/h/b', base + 2));
    await written(put(kv, '/h/b', '2'));
    const at = async (revision: number): Promise<string> => {
      const { items, count, revision: newest } = await kv.range({ prefix: '/h/', revision });
      assert.equal(count, items.length);
      assert.equal(newest, base + 5, 'the revision of an answer is the newest');
      return items
        .map(
          ({ key, value, createRevision, modRevision }) =>
            `${key}=${text(value)} ${createRevision - base} ${modRevision - base}`,
        )
        .join(', ');
    };
    assert.equal(await at(base), '');
    assert.equal(await at(base + 1), '/h/a=1 1 1');
    assert.equal(await at(base + 2), '/h/a=1 1 1, /h/b=1 2 2');
    assert.equal(await at(base + 3), '/h/a=2 1 3, /h/b=1 2 2');
    assert.equal(await at(base + 4), '/h/a=2 1 3');
    assert.equal(await at(base + 5), '/h/a=2 1 3, /h/b=2 5 5');
  });

  it('pages, counts and reads one key at an older revision', async () => {
    await using kv = await open({ clock: systemClock });
    for (const name of ['a', 'b', 'c', 'd']) await written(put(kv, `/h/${name}`, '1'));
    const then = await kv.currentRevision();
    const { items } = await kv.range({ prefix: '/h/' });
    for (const { key, modRevision } of items.slice(0, 3)) await written(remove(kv, key, modRevision));
    await written(put(kv, '/h/aa', 'new'));
    const brief = await written(put(kv, '/h/ab', 'brief'));
    await written(remove(kv, '/h/ab', brief));
    const page = await kv.range({ prefix: '/h/', revision: then, limit: 2, from: '/h/b' });
    assert.deepEqual(
      page.items.map(({ key }) => key),
      ['/h/b', '/h/c'],
    );
    assert.deepEqual([page.count, page.more], [3, true]);
    assert.equal((await kv.range({ prefix: '/h/', revision: then, countOnly: true })).count, 4);
    assert.equal((await kv.range({ prefix: '/h/', countOnly: true })).count, 2);
    assert.equal((await kv.range({ prefix: '/h/a', exact: true, revision: then })).count, 1);
    assert.equal((await kv.range({ prefix: '/h/aa', exact: true, revision: then })).count, 0);
  });

  it('rejects a future revision', async () => {
    await using kv = await open({ clock: systemClock });
    const revision = await kv.currentRevision();
    await rejects(kv.range({ prefix: '/h/', revision: revision + 1 }), 'future');
    await rejects(kv.compact(revision + 1), 'future');
  });

  it('compacts history, and keeps the newest values as of the compacted revision', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    await written(put(kv, '/h/old', 'kept'));
    await written(put(kv, '/h/a', '1'));
    await written(put(kv, '/h/gone', '1'));
    await written(put(kv, '/h/a', '2', base + 2));
    await written(remove(kv, '/h/gone', base + 3));
    const compacted = await kv.currentRevision();
    await written(put(kv, '/h/a', '3', base + 4));
    await kv.compact(compacted);
    assert.equal((await kv.status()).compactedRevision, compacted);
    await rejects(kv.range({ prefix: '/h/', revision: compacted - 1 }), 'compacted');
    const then = await kv.range({ prefix: '/h/', revision: compacted });
    assert.deepEqual(
      then.items.map(({ key, value }) => [key, text(value)]),
      [
        ['/h/a', '2'],
        ['/h/old', 'kept'],
      ],
    );
    const now = await kv.range({ prefix: '/h/' });
    assert.deepEqual(
      now.items.map(({ key, value }) => [key, text(value)]),
      [
        ['/h/a', '3'],
        ['/h/old', 'kept'],
      ],
    );
  });

  it('replays events after the compacted revision with previous values, and none before', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    await written(put(kv, '/h/a', '1'));
    await written(put(kv, '/h/a', '2', base + 1));
    await written(put(kv, '/h/a', '3', base + 2));
    await kv.compact(base + 2);
    using early = new RecordingWatch(kv, '/h/', base + 1);
    const error = await early.over();
    assert.ok('code' in error);
    assert.equal(error.code, 'compacted');
    using watching = new RecordingWatch(kv, '/h/', base + 2);
    await watching.reached(base + 3);
    assert.deepEqual(watching.lines, [`${base + 3} put /h/a ${base + 1} 3 (was ${base + 1} ${base + 2} 2)`]);
  });

  it('does not start a watch whose next event, a deletion, was compacted', async () => {
    await using kv = await open({ clock: systemClock });
    const created = await written(put(kv, '/h/a', '1'));
    const deleted = await written(remove(kv, '/h/a', created));
    const newest = await written(put(kv, '/h/b', '1'));
    await kv.compact(deleted);
    using early = new RecordingWatch(kv, '/h/', created);
    const error = await early.over();
    assert.ok('code' in error);
    assert.equal(error.code, 'compacted');
    assert.deepEqual(early.batches, []);
    using watching = new RecordingWatch(kv, '/h/', deleted);
    await watching.reached(newest);
    assert.deepEqual(watching.lines, [`${newest} put /h/b ${newest} 1`]);
  });

  it('compacts a compacted revision, and the newest one', async () => {
    await using kv = await open({ clock: systemClock });
    const first = await written(put(kv, '/h/a', '1'));
    await written(remove(kv, '/h/a', first));
    const newest = await kv.currentRevision();
    await kv.compact(newest);
    await kv.compact(newest);
    await kv.compact(newest - 1);
    assert.equal((await kv.status()).compactedRevision, newest);
    assert.deepEqual(await keysOf(kv, '/h/'), []);
    assert.deepEqual(await keysOf(kv, '/h/', newest), []);
    assert.equal(await written(put(kv, '/h/a', '2')), newest + 1);
  });

  it('finishes a long read at the state it began with', async () => {
    await using kv = await open({ clock: systemClock });
    const keys = Array.from({ length: 5000 }, (_, index) => `/h/${String(index).padStart(5, '0')}`);
    const revisions = await writeEach(keys, (key) => written(put(kv, key, 'old')));
    const reading = kv.range({ prefix: '/h/' });
    await writeEach(keys, (key, index) => written(put(kv, key, 'new', revisions[index])));
    const compacting = kv.compact(await kv.currentRevision());
    const { items, revision, count } = await reading;
    await compacting;
    assert.equal(count, 5000);
    if (local) {
      assert.deepEqual(
        items.map(({ modRevision }) => modRevision),
        revisions,
      );
      assert.ok(items.every(({ value }) => text(value) === 'old'));
    }
    // In a remote store the read may start later, but it shows one state: everything written up to its revision.
    const base = Math.min(...revisions) - 1;
    const changed = items.filter(({ value }) => text(value) === 'new');
    assert.equal(changed.length, Math.max(revision - base - 5000, 0));
    assert.ok(items.every(({ modRevision }) => modRevision <= revision));
  });

  it('compacts while others write, read and watch', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/h/', base);
    let revisions = await Promise.all(Array.from({ length: 40 }, (_, key) => written(put(kv, `/h/${key}`, '0'))));
    for (let round = 1; round <= 25; round += 1) {
      // Undelivered events need the values before them, which are part of history.
      const compacting = kv.compact(local ? await kv.currentRevision() : Math.max(watching.revision, 1));
      const writing = Promise.all(
        revisions.map((revision, key) => written(put(kv, `/h/${key}`, String(round), revision))),
      );
      const { items } = await kv.range({ prefix: '/h/' });
      assert.equal(items.length, 40);
      revisions = await writing;
      await compacting;
    }
    await watching.reached(base + 40 * 26);
    assert.deepEqual(
      watching.batches.map(({ revision }) => revision),
      Array.from({ length: 40 * 26 }, (_, index) => base + 1 + index),
    );
  });
}
