import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import { keysOf, put, remove, RecordingWatch, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

export function expirationTests(open: OpenKV): void {
  it('deletes a key by an event at its deadline, not before', async () => {
    const clock = new VirtualClock();
    await using kv = await open({ clock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/t/', base);
    await written(put(kv, '/t/short', 'x', 0, 10));
    await written(put(kv, '/t/long', 'x', 0, 20));
    await written(put(kv, '/t/ever', 'x'));
    clock.skip(9999);
    assert.equal(await kv.currentRevision(), base + 3);
    assert.deepEqual(await keysOf(kv, '/t/'), ['/t/ever', '/t/long', '/t/short']);
    clock.skip(1);
    await kv.currentRevision();
    await watching.reached(base + 4);
    assert.equal(watching.lines.at(-1), `${base + 4} delete /t/short ${base + 1} (was ${base + 1} ${base + 1} x)`);
    assert.deepEqual(await keysOf(kv, '/t/'), ['/t/ever', '/t/long']);
    clock.skip(100_000);
    await kv.currentRevision();
    await watching.reached(base + 5);
    assert.deepEqual(await keysOf(kv, '/t/'), ['/t/ever']);
  });

  it('counts from the newest write, and drops the deadline with the value', async () => {
    const clock = new VirtualClock();
    await using kv = await open({ clock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/t/', base);
    const renewed = await written(put(kv, '/t/renewed', 'x', 0, 10));
    const kept = await written(put(kv, '/t/kept', 'x', 0, 10));
    const again = await written(put(kv, '/t/again', 'x', 0, 10));
    clock.skip(5_000);
    await written(put(kv, '/t/renewed', 'y', renewed, 10));
    await written(put(kv, '/t/kept', 'y', kept));
    await written(remove(kv, '/t/again', again));
    await written(put(kv, '/t/again', 'y'));
    clock.skip(5_000);
    await written(put(kv, '/t/z', 'x'));
    assert.deepEqual(await keysOf(kv, '/t/'), ['/t/again', '/t/kept', '/t/renewed', '/t/z']);
    clock.skip(5_000);
    await kv.currentRevision();
    await watching.reached(base + 9);
    assert.deepEqual(await keysOf(kv, '/t/'), ['/t/again', '/t/kept', '/t/z']);
  });

  it('treats the key as absent in a write after the deadline', async () => {
    const clock = new VirtualClock();
    await using kv = await open({ clock });
    const revision = await written(put(kv, '/t/a', 'x', 0, 10));
    clock.skip(11_000);
    const result = await put(kv, '/t/a', 'y', revision);
    assert.ok(!result.succeeded);
    assert.equal(result.current, undefined);
    await written(put(kv, '/t/a', 'y'));
  });

  it('expires many keys in the order of their deadlines', async () => {
    const clock = new VirtualClock();
    await using kv = await open({ clock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/t/', base);
    await Promise.all(Array.from({ length: 1000 }, (_, index) => put(kv, `/t/${index}`, 'x', 0, 1000 - (index % 500))));
    clock.skip(2000_000);
    await kv.currentRevision();
    await watching.reached(base + 2000);
    const deleted = watching.batches.slice(1000).flatMap(({ events }) => events.map(({ key }) => Number(key.slice(3))));
    const deadlines = deleted.map((index) => 1000 - (index % 500));
    assert.deepEqual(
      deadlines,
      [...deadlines].sort((a, b) => a - b),
    );
    assert.equal((await kv.range({ prefix: '/t/', countOnly: true })).count, 0);
  });

  it('expires without a caller', async () => {
    const clock = new VirtualClock();
    await using kv = await open({ clock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/t/', base);
    await written(put(kv, '/t/a', 'x', 0, 0.02));
    await clock.advance(20);
    await watching.reached(base + 2);
    assert.equal(watching.batches[1]?.events[0]?.type, 'delete');
  });

  it('accepts the longest deadline', async () => {
    const clock = new VirtualClock();
    await using kv = await open({ clock });
    await written(put(kv, '/t/a', 'x', 0, Number.MAX_SAFE_INTEGER));
    await written(put(kv, '/t/b', 'x', 0, Number.POSITIVE_INFINITY));
    clock.skip(1e12);
    assert.deepEqual(await keysOf(kv, '/t/'), ['/t/a', '/t/b']);
  });
}
