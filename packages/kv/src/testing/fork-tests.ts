import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock, VirtualClock } from '@binnacle/apimachinery/clock';
import type { KV } from '../interface/index.js';
import {
  bytes,
  forkAt,
  forkOf,
  noteOf,
  put,
  RecordingWatch,
  rejects,
  remove,
  snapshotOf,
  text,
  writeNote,
  written,
} from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

async function contents(kv: KV, revision?: number): Promise<string> {
  const { items } = await kv.range({ prefix: '/f/', ...(revision === undefined ? {} : { revision }) });
  return items.map(({ key, value, modRevision }) => `${key}=${text(value)}@${modRevision}`).join(' ');
}

/** Only for in-process stores. */
export function forkTests(open: OpenKV): void {
  it('begins with everything including history, and is independent', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    await put(kv, '/f/a', '1');
    await put(kv, '/f/b', '1');
    await put(kv, '/f/a', '2', base + 1);
    await kv.compact(base + 2);
    await using fork = forkOf(kv);
    const at = (key: string, value: string, revision: number) => `/f/${key}=${value}@${base + revision}`;
    assert.equal(await contents(fork), `${at('a', '2', 3)} ${at('b', '1', 2)}`);
    assert.equal(await contents(fork, base + 2), `${at('a', '1', 1)} ${at('b', '1', 2)}`);
    await rejects(fork.range({ prefix: '/f/', revision: base + 1 }), 'compacted');
    assert.equal(await fork.currentRevision(), base + 3);
    await put(fork, '/f/c', 'fork');
    await put(kv, '/f/c', 'parent');
    await remove(fork, '/f/a', base + 3);
    await using second = forkOf(fork);
    // It waits for the fork.
    const compaction = kv.compact(base + 4);
    await kv.close();
    await compaction;
    assert.equal(await contents(fork), `${at('b', '1', 2)} ${at('c', 'fork', 4)}`);
    assert.equal(await contents(fork, base + 2), `${at('a', '1', 1)} ${at('b', '1', 2)}`);
    await fork.close();
    assert.equal(await contents(second, base + 4), `${at('a', '2', 3)} ${at('b', '1', 2)} ${at('c', 'fork', 4)}`);
    assert.throws(() => forkOf(kv), { code: 'closed' });
  });

  it('keeps what its parent deletes, replaces and compacts later', async () => {
    await using kv = await open({ clock: systemClock });
    const revision = await written(put(kv, '/f/a', 'old'));
    const other = await written(put(kv, '/f/b', 'old'));
    // The commit of this write runs while the fork begins.
    const writing = put(kv, '/f/a', 'new', revision);
    await using fork = forkOf(kv);
    const { revision: replaced } = await writing;
    await written(remove(kv, '/f/a', replaced));
    const last = await written(remove(kv, '/f/b', other));
    const compaction = kv.compact(last);
    assert.equal(await contents(fork), `/f/a=old@${revision} /f/b=old@${other}`);
    assert.equal((await fork.range({ prefix: '/f/', countOnly: true })).count, 2);
    assert.equal(await contents(kv), '');
    await fork.close();
    await compaction;
  });

  it('begins in the past', async () => {
    const clock = new VirtualClock();
    await using kv = await open({ clock });
    const first = await written(put(kv, '/f/a', 'old'));
    const base = await written(put(kv, '/f/b', 'old', 0, 10));
    await writeNote(kv, '/f/', bytes('now'));
    const second = await written(put(kv, '/f/a', 'new', first));
    await written(remove(kv, '/f/b', base));
    await written(put(kv, '/f/c', 'new'));
    await written(remove(kv, '/f/a', second));
    await using fork = await forkAt(kv, base);
    assert.equal(await fork.currentRevision(), base);
    assert.equal(await contents(fork), `/f/a=old@${first} /f/b=old@${base}`);
    assert.equal(await contents(fork, first), `/f/a=old@${first}`);
    assert.equal(noteOf(fork, '/f/'), undefined, 'the note is of a later state');
    await rejects(fork.range({ prefix: '/f/', revision: base + 1 }), 'future');
    assert.equal(await written(put(fork, '/f/d', 'fork')), base + 1);
    clock.skip(10_000);
    await written(put(fork, '/f/e', 'fork'));
    assert.equal(await contents(fork), `/f/a=old@${first} /f/d=fork@${base + 1} /f/e=fork@${base + 3}`);
    assert.equal(await contents(kv), `/f/c=new@${second + 2}`);
    await rejects(forkAt(kv, second + 4), 'future');
    await fork.close();
    await kv.compact(second);
    await rejects(forkAt(kv, base), 'compacted');
  });

  it('begins before many writes, in steps, while others go on', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await written(put(kv, '/f/a', 'old'));
    const keys = Array.from({ length: 5000 }, (_, index) => `/f/b/${index}`);
    const last = Math.max(...(await Promise.all(keys.map((key) => written(put(kv, key, 'new'))))));
    const forking = forkAt(kv, base);
    const stop = new AbortController();
    const stopped = assert.rejects(kv.forkAt?.(base, {}, stop.signal) ?? Promise.resolve(), { name: 'AbortError' });
    stop.abort();
    const changed = await written(put(kv, '/f/a', 'new', base));
    await stopped;
    const fork = await forking;
    assert.equal(await contents(fork), `/f/a=old@${base}`);
    assert.equal((await fork.range({ prefix: '/f/', countOnly: true })).count, 1);
    assert.equal(changed, last + 1);
    await fork.close();
    // No fork holds it.
    await kv.compact(changed);
  });

  it('begins in the past of a fork', async () => {
    await using kv = await open({ clock: systemClock });
    const first = await written(put(kv, '/f/a', '1'));
    const second = await written(put(kv, '/f/a', '2', first));
    await using fork = forkOf(kv);
    const third = await written(put(fork, '/f/a', '3', second));
    const writing = put(fork, '/f/a', '4', third);
    await using then = await forkAt(fork, third);
    await using before = await forkAt(fork, first);
    await writing;
    assert.deepEqual([await contents(then), await contents(before)], [`/f/a=3@${third}`, `/f/a=1@${first}`]);
  });

  it('tells only its own watchers of its writes, and its keys expire', async () => {
    const clock = new VirtualClock();
    await using kv = await open({ clock });
    const base = await written(put(kv, '/f/a', '1', 0, 10));
    await using fork = forkOf(kv);
    using parentWatch = new RecordingWatch(kv, '/f/', base);
    using forkWatch = new RecordingWatch(fork, '/f/', base - 1);
    await put(fork, '/f/b', '1');
    clock.skip(10_000);
    for (const store of [kv, fork]) await put(store, '/f/c', '1');
    const seen = ({ batches }: RecordingWatch) =>
      batches.flatMap(({ revision, events }) => events.map(({ type, key }) => `${type} ${key} ${revision - base}`));
    assert.deepEqual(seen(parentWatch), ['delete /f/a 1', 'put /f/c 2']);
    assert.deepEqual(seen(forkWatch), ['put /f/a 0', 'put /f/b 1', 'delete /f/a 2', 'put /f/c 3']);
  });

  it('keeps the notes of its parent as they were', async () => {
    await using kv = await open({ clock: systemClock });
    await writeNote(kv, '/f/', bytes('then'));
    await using fork = forkOf(kv);
    await writeNote(kv, '/f/', bytes('later'));
    assert.deepEqual([text(noteOf(fork, '/f/')), text(noteOf(kv, '/f/'))], ['then', 'later']);
    await writeNote(fork, '/f/', bytes('own'));
    assert.deepEqual([text(noteOf(fork, '/f/')), text(noteOf(kv, '/f/'))], ['own', 'later']);
  });

  it('returns to a snapshot at a new revision, as one commit', async () => {
    await using kv = await open({ clock: systemClock });
    const changed = await written(put(kv, '/f/changed', 'old'));
    const gone = await written(put(kv, '/f/gone', 'old'));
    const kept = await written(put(kv, '/f/kept', 'old'));
    const snapshot = snapshotOf(kv);
    await written(put(kv, '/f/changed', 'new', changed));
    await written(remove(kv, '/f/gone', gone));
    const base = await written(put(kv, '/f/made', 'new'));
    const compaction = kv.compact(base);
    using watch = new RecordingWatch(kv, '/f/', base);
    assert.equal(await snapshot.restore(), base + 3);
    assert.equal(await contents(kv), `/f/changed=old@${base + 1} /f/gone=old@${base + 2} /f/kept=old@${kept}`);
    assert.deepEqual(watch.lines, [
      `${base + 1} put /f/changed ${changed} old (was ${changed} ${base - 2} new)`,
      `${base + 2} put /f/gone ${base + 2} old`,
      `${base + 3} delete /f/made ${base} (was ${base} ${base} new)`,
    ]);
    assert.equal(await snapshot.restore(), base + 3, 'nothing has changed');
    await written(put(kv, '/f/changed', 'newer', base + 1));
    assert.deepEqual(await Promise.all([snapshot.restore(), snapshot.restore()]), [base + 5, base + 5]);
    assert.match(await contents(kv), /changed=old/);
    snapshot.release();
    await compaction;
    await assert.rejects(snapshot.restore(), RangeError);
  });
}
