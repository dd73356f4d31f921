import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { KV, KeyValue, TxnResult } from '../interface/index.js';
import { bytes, put, remove, RecordingWatch, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

const LARGEST = 0xffff_ffff;

function tagged(kv: KV, value: string, expectedRevision: number, tag: number): Promise<TxnResult> {
  return kv.txn({ key: '/tag/a', expectedRevision, operation: { type: 'put', value: bytes(value), tag } });
}

/** The tag of a value, or 0 if it does not even have the property. */
function tagOf(value: Pick<KeyValue, 'tag'> | undefined): number {
  assert.ok(value !== undefined);
  assert.equal('tag' in value, value.tag !== undefined);
  return value.tag ?? 0;
}

/** `kept`: the store returns tags; otherwise it never does. */
export function tagTests(open: OpenKV, kept: boolean): void {
  const expected = (tag: number): number => (kept ? tag : 0);

  it('returns the tag wherever it returns the value', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/tag/', base);
    await written(tagged(kv, '1', 0, LARGEST));
    const updated = await tagged(kv, '2', base + 1, 7);
    assert.ok(updated.succeeded);
    assert.equal(tagOf(updated.previous), expected(LARGEST));
    const lost = await tagged(kv, '3', base + 1, 8);
    assert.ok(!lost.succeeded);
    assert.equal(tagOf(lost.current), expected(7));
    const { items } = await kv.range({ prefix: '/tag/' });
    assert.deepEqual(items.map(tagOf), [expected(7)]);
    const old = await kv.range({ prefix: '/tag/a', exact: true, revision: base + 1 });
    assert.deepEqual(old.items.map(tagOf), [expected(LARGEST)]);
    await written(put(kv, '/tag/a', '3', base + 2));
    await written(remove(kv, '/tag/a', base + 3));
    await watching.reached(base + 4);
    using replaying = new RecordingWatch(kv, '/tag/', base);
    await replaying.reached(base + 4);
    for (const { batches } of [watching, replaying]) {
      const events = batches.flatMap((batch) => batch.events);
      assert.deepEqual(events.map(tagOf), [LARGEST, 7, 0, 0].map(expected));
      assert.deepEqual(
        events.slice(1).map(({ previous }) => tagOf(previous)),
        [LARGEST, 7, 0].map(expected),
      );
    }
  });

  it('rejects a tag out of range', async () => {
    await using kv = await open({ clock: systemClock });
    for (const tag of [0, -1, 0.5, LARGEST + 1, Number.NaN]) {
      await assert.rejects(tagged(kv, 'x', 0, tag), RangeError, String(tag));
    }
  });
}
