import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { bytes, put, rejects, turns, RecordingWatch, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

export function lifecycleTests(open: OpenKV): void {
  it('rejects at once if the signal is already aborted', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    const operation = { type: 'put', value: bytes('x') } as const;
    await assert.rejects(kv.txn({ key: '/l/a', expectedRevision: 0, operation }, signal), reason);
    await assert.rejects(kv.range({ prefix: '/l/' }, signal), reason);
    await assert.rejects(kv.currentRevision(signal), reason);
    await assert.rejects(kv.status(signal), reason);
    await assert.rejects(kv.compact(base, signal), reason);
    assert.equal(await kv.currentRevision(), base);
  });

  it('stops waiting when the signal aborts, without effect on other calls', async () => {
    await using kv = await open({ clock: systemClock });
    const abort = new AbortController();
    const operation = { type: 'put', value: bytes('x') } as const;
    const given = kv.txn({ key: '/l/a', expectedRevision: 0, operation }, abort.signal);
    const other = put(kv, '/l/b', 'x');
    abort.abort(new Error('enough'));
    await assert.rejects(given, /enough/);
    await written(other);
    const { items } = await kv.range({ prefix: '/l/' });
    assert.ok(items.some(({ key }) => key === '/l/b'));
  });

  it('knows its revision at once if it is in this process', async () => {
    const kv = await open({ clock: systemClock });
    if (kv.revisionNow === undefined) return kv.close();
    const writing = put(kv, '/l/a', 'x');
    const before = kv.revisionNow();
    assert.equal(await written(writing), before + 1);
    assert.equal(kv.revisionNow(), before + 1);
    await kv.close();
    assert.throws(() => kv.revisionNow?.(), { code: 'closed' });
  });

  it('reports its state', async () => {
    await using kv = await open({ clock: systemClock });
    const revision = await written(put(kv, '/l/a', 'x'.repeat(10_000)));
    const status = await kv.status();
    assert.equal(status.revision, revision);
    assert.ok(status.compactedRevision <= revision);
    assert.ok(status.sizeBytes >= 10_000);
  });

  it('decides pending writes, ends watches and rejects later calls when closed', async () => {
    const kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    const watching = new RecordingWatch(kv, '/l/', base);
    const aborted = new RecordingWatch(kv, '/l/', base);
    aborted.stop();
    await turns();
    const pending = Array.from({ length: 100 }, (_, index) => put(kv, `/l/${index}`, 'x'));
    const closing = kv.close();
    await Promise.all([closing, kv.close(), kv[Symbol.asyncDispose]()]);
    const settled = await Promise.allSettled(pending);
    assert.ok(settled.every(({ status }) => status === 'fulfilled'));
    const error = await watching.over();
    assert.ok('code' in error);
    assert.equal(error.code, 'closed');
    assert.equal(watching.calls.filter((call) => call === 'ended').length, 1);
    assert.equal(watching.calls.at(-1), 'ended');
    assert.deepEqual(aborted.calls, []);
    await rejects(put(kv, '/l/a', 'x'), 'closed');
    await rejects(kv.range({ prefix: '/l/' }), 'closed');
    await rejects(kv.currentRevision(), 'closed');
    await rejects(kv.status(), 'closed');
    await rejects(kv.compact(base), 'closed');
    const late = new RecordingWatch(kv, '/l/', base);
    const lateError = await late.over();
    assert.ok('code' in lateError);
    assert.equal(lateError.code, 'closed');
    await kv.close();
  });
}
