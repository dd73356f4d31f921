import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { KeyCondition, TxnResult } from '../interface/index.js';
import { bytes, put, remove, text, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

export function txnTests(open: OpenKV): void {
  it('creates, updates and deletes, each raising the revision by one', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    assert.ok(base > 0, 'even an empty store has a revision');
    assert.deepEqual(await put(kv, '/txn/a', '1'), { succeeded: true, revision: base + 1 });
    const created = { key: '/txn/a', createRevision: base + 1, modRevision: base + 1 };
    const updated = await put(kv, '/txn/a', '2', base + 1);
    assert.equal(updated.revision, base + 2);
    assert.ok(updated.succeeded);
    assert.equal(text(updated.previous?.value), '1');
    assert.deepEqual({ ...updated.previous, value: undefined }, { ...created, value: undefined });
    const deleted = await remove(kv, '/txn/a', base + 2);
    assert.ok(deleted.succeeded);
    assert.equal(deleted.revision, base + 3);
    assert.equal(deleted.previous?.createRevision, base + 1);
    assert.equal(deleted.previous?.modRevision, base + 2);
    assert.equal(await kv.currentRevision(), base + 3);
  });

  it('gives a re-created key a new createRevision', async () => {
    await using kv = await open({ clock: systemClock });
    const first = await written(put(kv, '/txn/a', '1'));
    await written(remove(kv, '/txn/a', first));
    const second = await written(put(kv, '/txn/a', '2'));
    const { items } = await kv.range({ prefix: '/txn/a', exact: true });
    assert.deepEqual(
      items.map(({ createRevision, modRevision }) => [createRevision, modRevision]),
      [[second, second]],
    );
  });

  it('returns the current value for a failed comparison, and changes nothing', async () => {
    await using kv = await open({ clock: systemClock });
    const revision = await written(put(kv, '/txn/a', '1'));
    for (const expected of [0, revision - 1, revision + 1]) {
      for (const attempt of [put(kv, '/txn/a', 'x', expected), remove(kv, '/txn/a', expected)]) {
        const lost = await attempt;
        assert.ok(!lost.succeeded);
        assert.equal(lost.revision, revision);
        assert.equal(lost.current?.modRevision, revision);
        assert.equal(text(lost.current?.value), '1');
      }
    }
    assert.equal(await kv.currentRevision(), revision);
  });

  it('returns no current value if the key is absent', async () => {
    await using kv = await open({ clock: systemClock });
    const revision = await kv.currentRevision();
    assert.deepEqual(await put(kv, '/txn/a', '1', 7), { succeeded: false, revision });
    assert.deepEqual(await remove(kv, '/txn/a', 7), { succeeded: false, revision });
  });

  it('writes only if all conditions are met, and names the first that is not', async () => {
    await using kv = await open({ clock: systemClock });
    const parent = await written(put(kv, '/parent', 'p'));
    const met = { key: '/parent', expectedRevision: parent };
    const absent = { key: '/none', expectedRevision: 0 };
    const child = (key: string, expectedRevision: number, ...conditions: KeyCondition[]): Promise<TxnResult> =>
      kv.txn({ key, expectedRevision, operation: { type: 'put', value: bytes('x') }, conditions });
    const made = await written(child('/child', 0, met, absent));
    for (const wrong of [0, parent - 1, parent + 1]) {
      const unmet = await child('/other', 0, absent, { key: '/parent', expectedRevision: wrong });
      assert.deepEqual(unmet, { succeeded: false, revision: made, unmet: '/parent' });
    }
    const kept = await child('/child', made, { key: '/none', expectedRevision: 1 }, met);
    assert.ok(!kept.succeeded);
    assert.deepEqual([kept.unmet, kept.current?.modRevision], ['/none', made]);
    const lost = await child('/child', 0, { key: '/none', expectedRevision: 1 });
    assert.ok(!lost.succeeded);
    assert.deepEqual(
      [lost.unmet, lost.current?.modRevision],
      [undefined, made],
      'the comparison of the key comes first',
    );
    const deletion = { key: '/child', expectedRevision: made, operation: { type: 'delete' } } as const;
    const refused = await kv.txn({ ...deletion, conditions: [{ key: '/parent', expectedRevision: 0 }] });
    assert.ok(!refused.succeeded);
    assert.equal(await kv.currentRevision(), made, 'nothing was written');
    await written(kv.txn({ ...deletion, conditions: [met] }));
  });

  it('judges conditions by the writes before, also within one commit', async () => {
    await using kv = await open({ clock: systemClock });
    const parent = await written(put(kv, '/parent', 'p'));
    const child = (key: string): Promise<TxnResult> => {
      const conditions = [{ key: '/parent', expectedRevision: parent }];
      return kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value: bytes('x') }, conditions });
    };
    const [one, marked, other] = await Promise.all([child('/a'), put(kv, '/parent', 'q', parent), child('/b')]);
    assert.ok(marked.succeeded);
    for (const { succeeded, revision } of [one, other]) assert.equal(succeeded, revision < marked.revision);
    const { succeeded } = await child('/c');
    assert.ok(!succeeded);
  });

  it('deletes an absent key without a new revision', async () => {
    await using kv = await open({ clock: systemClock });
    const revision = await kv.currentRevision();
    assert.deepEqual(await remove(kv, '/txn/a', 0), { succeeded: true, revision });
    assert.equal(await kv.currentRevision(), revision);
  });

  it('keeps values of any bytes and size', async () => {
    await using kv = await open({ clock: systemClock });
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    const large = new Uint8Array(3 * 1024 * 1024).fill(7);
    for (const [index, value] of [new Uint8Array(0), all, bytes('é𝄞'), large].entries()) {
      const key = `/txn/${index}`;
      await written(kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } }));
      const { items } = await kv.range({ prefix: key, exact: true });
      assert.equal(Buffer.compare(items[0]?.value ?? bytes('absent'), value), 0);
    }
  });

  it('stores only the viewed part of a larger buffer', async () => {
    await using kv = await open({ clock: systemClock });
    const value = bytes('abcdef').subarray(2, 4);
    await written(kv.txn({ key: '/txn/a', expectedRevision: 0, operation: { type: 'put', value } }));
    const { items } = await kv.range({ prefix: '/txn/a' });
    assert.equal(text(items[0]?.value), 'cd');
  });

  it('rejects keys and requests that no store accepts', async () => {
    await using kv = await open({ clock: systemClock });
    await assert.rejects(put(kv, '', 'x'), RangeError);
    await assert.rejects(put(kv, '/\ud800', 'x'), RangeError);
    await assert.rejects(put(kv, '/'.repeat(1025), 'x'), RangeError);
    await assert.rejects(put(kv, '/txn/a', 'x', -1), RangeError);
    await assert.rejects(put(kv, '/txn/a', 'x', 0.5), RangeError);
    for (const ttl of [0, -1, Number.NaN]) await assert.rejects(put(kv, '/txn/a', 'x', 0, ttl), RangeError);
    await written(put(kv, '/'.repeat(1024), 'x'));
  });
}
