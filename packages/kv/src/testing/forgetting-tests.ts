import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { type KV, KVError } from '../interface/index.js';
import {
  forkAt,
  historyOf,
  keysOf,
  put,
  RecordingWatch,
  rejects,
  remove,
  snapshotOf,
  text,
  written,
} from './helpers.js';
import type { OpenKV } from './kv-under-test.js';
import { historyLine } from './model.js';

const FORGETTING = '/secret/';

/** Two keys whose values are forgotten, and one whose are not. Each has two versions. */
async function fill(kv: KV): Promise<number> {
  const base = await kv.currentRevision();
  await written(put(kv, '/secret/a', 'a1'));
  await written(put(kv, '/secret/b', 'b1'));
  await written(put(kv, '/other/c', 'c1'));
  await written(put(kv, '/secret/a', 'a2', base + 1));
  await written(remove(kv, '/secret/b', base + 2));
  await written(put(kv, '/other/c', 'c2', base + 3));
  return base;
}

async function forget(kv: KV, revision: number): Promise<void> {
  assert.ok(kv.forgetValues !== undefined, 'a store in this process forgets values');
  await kv.forgetValues(FORGETTING, revision);
}

/** Only for in-process stores. */
export function forgettingTests(open: OpenKV): void {
  it('forgets the values of a prefix, and keeps those of others and the events', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const base = await fill(kv);
    await forget(kv, base + 5);
    const { events } = await historyOf(kv, { prefix: '/', limit: 10, after: base });
    assert.deepEqual(events.map(historyLine), [
      `${base + 6} put /other/c ${base + 3} c2, was c1 @${base + 3}`,
      `${base + 5} delete /secret/b ${base + 2} -, was forgotten`,
      `${base + 4} put /secret/a ${base + 1} a2, was forgotten`,
      `${base + 3} put /other/c ${base + 3} c1, was -`,
      `${base + 2} put /secret/b ${base + 2} forgotten, was -`,
      `${base + 1} put /secret/a ${base + 1} forgotten, was -`,
    ]);
    assert.equal(text((await kv.range({ prefix: '/other/', revision: base + 3 })).items[0]?.value), 'c1');
    assert.deepEqual(await keysOf(kv, '/', base + 5), ['/other/c', '/secret/a']);
  });

  it('refuses reads that may need a forgotten value, and says which', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const base = await fill(kv);
    await forget(kv, base + 5);
    for (const request of [
      { prefix: '/secret/' },
      { prefix: '/' },
      { prefix: '/secret/a', exact: true },
      { prefix: '/secret/none', exact: true, keysOnly: true },
    ]) {
      await rejects(kv.range({ ...request, revision: base + 4 }), 'compacted');
      await kv.range({ ...request, revision: base + 5 });
    }
    const refusal = await kv
      .range({ prefix: '/secret/a', exact: true, revision: base + 1 })
      .catch((error: unknown) => error);
    assert.ok(refusal instanceof KVError);
    assert.deepEqual(refusal.forgotten, { prefix: '/secret/', revision: base + 5 });
    assert.equal(refusal.message, `the values under "/secret/" before revision ${base + 5} are forgotten`);
  });

  it('ends watches from before, and goes on with those from after', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const base = await fill(kv);
    await forget(kv, base + 4);
    for (const prefix of ['/secret/', '/']) {
      using early = new RecordingWatch(kv, prefix, base + 3);
      const error = await early.over();
      assert.ok(error instanceof KVError);
      assert.equal(error.code, 'compacted');
    }
    using watching = new RecordingWatch(kv, '/secret/', base + 4);
    await watching.reached(base + 5);
    assert.deepEqual(watching.lines, [`${base + 5} delete /secret/b ${base + 2} (was ${base + 2} ${base + 2} b1)`]);
    using others = new RecordingWatch(kv, '/other/', base);
    await others.reached(base + 6);
    assert.equal(others.lines.length, 2);
  });

  it('refuses a fork that would lack a value, and makes the others', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const base = await fill(kv);
    await forget(kv, base + 4);
    await rejects(forkAt(kv, base + 3), 'compacted');
    // Nothing under the prefix has changed since.
    await using fork = await forkAt(kv, base + 4);
    assert.deepEqual(await keysOf(fork, '/'), ['/other/c', '/secret/a', '/secret/b']);
    await rejects(fork.range({ prefix: '/secret/', revision: base + 3 }), 'compacted');
    const older = await forkAt(kv, base + 5);
    await older.close();
    await forget(kv, base + 6);
    assert.equal(text((await fork.range({ prefix: '/secret/b', exact: true })).items[0]?.value), 'b1');
  });

  it('keeps what snapshots and readers may read, until they are released', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const base = await fill(kv);
    const snapshot = snapshotOf(kv);
    const reader = kv.openReader?.(base + 6);
    await written(put(kv, '/secret/a', 'a3', base + 4));
    await forget(kv, base + 7);
    assert.equal(text(reader?.read(base + 4)), 'a2');
    await snapshot.restore();
    assert.equal(text((await kv.range({ prefix: '/secret/a', exact: true })).items[0]?.value), 'a2');
    snapshot.release();
    reader?.close();
    await forget(kv, base + 7);
    assert.throws(() => reader?.read(base + 4), { code: 'compacted' });
  });

  it('refuses a revision that has not been reached, and goes on when it is asked again', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const base = await fill(kv);
    await rejects(Promise.resolve(kv.forgetValues?.(FORGETTING, base + 7)), 'future');
    await forget(kv, base + 5);
    await forget(kv, base + 3);
    await rejects(kv.range({ prefix: FORGETTING, revision: base + 4 }), 'compacted');
    await kv.compact(base + 6);
    await forget(kv, base + 6);
    assert.deepEqual(await keysOf(kv, '/'), ['/other/c', '/secret/a']);
  });
}
