import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '@binnacle/apimachinery/clock';
import { type KV, KVError, type ValueReader } from '../interface/index.js';
import { put, rejects, remove, text, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

function openReader(kv: KV, revision: number): ValueReader {
  const reader = kv.openReader?.(revision);
  assert.ok(reader !== undefined, 'a store in this process has readers');
  return reader;
}

const isCompacted = (error: unknown): boolean => error instanceof KVError && error.code === 'compacted';

/** Only for in-process stores. */
export function readerTests(open: OpenKV): void {
  it('reads each value by the revision that wrote it', async () => {
    await using kv = await open({ clock: systemClock });
    const first = await written(put(kv, '/r/a', 'one'));
    const second = await written(put(kv, '/r/b', ''));
    const reader = openReader(kv, second);
    assert.equal(text(reader.read(first)), 'one');
    assert.equal(text(reader.read(second)), '');
    const third = await written(put(kv, '/r/a', 'x'.repeat(100_000), first));
    assert.equal(reader.read(third).length, 100_000);
    assert.equal(text(reader.read(first)), 'one');
  });

  it('protects values current at its revision from compaction, until it advances or closes', async () => {
    await using kv = await open({ clock: systemClock });
    const first = await written(put(kv, '/r/a', '1'));
    const other = await written(put(kv, '/r/b', '1'));
    const reader = openReader(kv, other);
    const slower = openReader(kv, other);
    const second = await written(put(kv, '/r/a', '2', first));
    const gone = await written(remove(kv, '/r/b', other));
    let compacted = false;
    const compaction = kv.compact(gone).then(() => {
      compacted = true;
    });
    await kv.currentRevision();
    await written(put(kv, '/r/c', '1'));
    assert.deepEqual([text(reader.read(first)), text(reader.read(other)), compacted], ['1', '1', false]);
    reader.advance(gone);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(text(reader.read(first)), '1', 'another reader still needs it');
    slower.close();
    await compaction;
    assert.throws(() => reader.read(first), isCompacted);
    assert.throws(() => reader.read(other), isCompacted);
    assert.equal(text(reader.read(second)), '2');
    reader.close();
    assert.equal(text(reader.read(second)), '2', 'what is there is read by a closed one too');
  });

  it('opens only at readable revisions', async () => {
    await using kv = await open({ clock: systemClock });
    const first = await written(put(kv, '/r/a', '1'));
    const second = await written(put(kv, '/r/a', '2', first));
    assert.throws(
      () => kv.openReader?.(second + 1),
      (error) => error instanceof KVError && error.code === 'future',
    );
    await kv.compact(second);
    assert.throws(() => kv.openReader?.(first), isCompacted);
    const reader = openReader(kv, second);
    await kv.close();
    assert.throws(
      () => reader.read(second),
      (error) => error instanceof KVError && error.code === 'closed',
    );
    await rejects(kv.currentRevision(), 'closed');
  });

  it('loads values with their tags, and ranges of keys without either', async () => {
    await using kv = await open({ clock: systemClock });
    const operation = { type: 'put', value: Buffer.from('1'), tag: 7 } as const;
    const first = await written(kv.txn({ key: '/r/a', expectedRevision: 0, operation }));
    const second = await written(put(kv, '/r/b', '2'));
    const reader = openReader(kv, second);
    assert.deepEqual([text(reader.load(first).value), reader.load(first).tag], ['1', 7]);
    assert.deepEqual([text(reader.load(second).value), reader.load(second).tag], ['2', undefined]);
    const { items } = await kv.range({ prefix: '/r/', keysOnly: true });
    assert.deepEqual(
      items.map(({ key, value, createRevision, modRevision, tag }) => [
        key,
        value.length,
        createRevision,
        modRevision,
        tag,
      ]),
      [
        ['/r/a', 0, first, first, undefined],
        ['/r/b', 0, second, second, undefined],
      ],
    );
  });

  it('reports whether there are more items when it does not count', async () => {
    await using kv = await open({ clock: systemClock });
    for (const name of ['a', 'b', 'c']) await written(put(kv, `/r/${name}`, '1'));
    const page = async (limit: number) => {
      const { items, more, count } = await kv.range({ prefix: '/r/', limit, uncounted: true });
      assert.ok(count >= items.length);
      return [items.length, more];
    };
    assert.deepEqual(await page(2), [2, true]);
    assert.deepEqual(await page(3), [3, false]);
    assert.deepEqual(await page(4), [3, false]);
  });
}
