import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { keysOf, put, RecordingWatch, remove, text, writeEach, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

/** Tests of calls that overlap. `local`: the store is in this process. */
export function concurrencyTests(open: OpenKV, local: boolean): void {
  it('lets one of many concurrent creates succeed', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => put(kv, '/c/a', String(index))));
    const won = results.filter(({ succeeded }) => succeeded);
    assert.equal(won.length, 1);
    for (const result of results) {
      assert.equal(result.revision, base + 1);
      if (!result.succeeded) assert.equal(result.current?.modRevision, base + 1);
    }
  });

  it('keeps the order of calls on one key, each seeing the previous one', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    const results = await Promise.all([
      put(kv, '/c/a', '1'),
      put(kv, '/c/a', '2', base + 1),
      remove(kv, '/c/a', base + 2),
      put(kv, '/c/a', '4'),
      put(kv, '/c/a', 'lost', base + 1),
    ]);
    assert.deepEqual(
      results.map(({ succeeded, revision }) => [succeeded, revision - base]),
      [
        [true, 1],
        [true, 2],
        [true, 3],
        [true, 4],
        [false, 4],
      ],
    );
    const { items } = await kv.range({ prefix: '/c/a' });
    assert.deepEqual(
      items.map(({ value, createRevision }) => [text(value), createRevision - base]),
      [['4', 4]],
    );
  });

  it('reads one state even between the steps of a write', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    for (let round = 0; round < 40; round++) {
      const before = await kv.currentRevision();
      const writing = put(kv, `/c/${round}`, 'x');
      for (let step = 0; step < round % 10; step++) await Promise.resolve();
      const [then, now] = await Promise.all([
        kv.range({ prefix: '/c/', revision: before }),
        kv.range({ prefix: '/c/' }),
      ]);
      await writing;
      assert.equal(then.items.length, round, `at ${before}`);
      assert.equal(now.items.length, now.revision - base, `at ${now.revision}`);
    }
  });

  it('counts without losing an increment', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/c/', base);
    let revision = 0;
    let lost = 0;
    const increment = async (): Promise<void> => {
      for (;;) {
        const { items } = await kv.range({ prefix: '/c/counter', exact: true });
        const [current] = items;
        const next = String(Number(text(current?.value) ?? '0') + 1);
        const result = await put(kv, '/c/counter', next, current?.modRevision ?? 0);
        revision = Math.max(revision, result.revision);
        if (result.succeeded) return;
        lost += 1;
      }
    };
    await Promise.all(Array.from({ length: 30 }, increment));
    const { items } = await kv.range({ prefix: '/c/counter', exact: true });
    assert.equal(text(items[0]?.value), '30');
    assert.ok(lost > 0, 'no call competed');
    assert.equal(revision, base + 30);
    await watching.reached(base + 30);
    assert.deepEqual(
      watching.batches.map(({ events }) => text(events[0]?.value)),
      Array.from({ length: 30 }, (_, index) => String(index + 1)),
    );
  });

  it('gives out every revision once', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    const keys = Array.from({ length: 2500 }, (_, index) => `/c/${index}`);
    const revisions = await writeEach(keys, (key) => written(put(kv, key, 'x')));
    assert.deepEqual(
      revisions.sort((a, b) => a - b),
      Array.from({ length: 2500 }, (_, index) => base + 1 + index),
    );
    assert.equal((await keysOf(kv, '/c/')).length, 2500);
  });

  it('reads one state while writes go on', async () => {
    await using kv = await open({ clock: systemClock });
    let a = await written(put(kv, '/c/a', '0'));
    let b = await written(put(kv, '/c/b', '0'));
    const progress = { done: false };
    const writing = (async () => {
      for (let index = 1; index <= 100; index += 1) {
        [a, b] = await Promise.all([
          written(put(kv, '/c/a', String(index), a)),
          written(put(kv, '/c/b', String(index), b)),
        ]);
      }
      progress.done = true;
    })();
    while (!progress.done) {
      const { items, revision, count } = await kv.range({ prefix: '/c/' });
      assert.equal(count, 2);
      const [left, right] = items.map(({ value }) => Number(text(value)));
      assert.ok(left !== undefined && right !== undefined);
      // In a remote store, calls on different keys may overtake each other.
      const together = left === right || left === right + 1 || (!local && left === right - 1);
      assert.ok(together, `${left} and ${right} at ${revision} were never together`);
      assert.ok(items.every(({ modRevision }) => modRevision <= revision));
      const again = await kv.range({ prefix: '/c/', revision });
      assert.deepEqual(
        again.items.map(({ modRevision }) => modRevision),
        items.map(({ modRevision }) => modRevision),
      );
      await new Promise(setImmediate);
    }
    await writing;
  });
}
