import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import { put, remove, turns, RecordingWatch, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

export function watchTests(open: OpenKV, local: boolean): void {
  it('delivers writes under the prefix, with values and previous values', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/w/', base);
    await written(put(kv, '/w/a', '1'));
    await written(put(kv, '/other', 'x'));
    await written(put(kv, '/w/a', '2', base + 1));
    await written(remove(kv, '/w/a', base + 3));
    await watching.reached(base + 4);
    assert.deepEqual(watching.lines, [
      `${base + 1} put /w/a ${base + 1} 1`,
      `${base + 3} put /w/a ${base + 1} 2 (was ${base + 1} ${base + 1} 1)`,
      `${base + 4} delete /w/a ${base + 1} (was ${base + 1} ${base + 3} 2)`,
    ]);
  });

  it('delivers the same events to a receiver that needs no previous values', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/w/', base, { withoutPrevious: true });
    await written(put(kv, '/w/a', '1'));
    await written(put(kv, '/w/a', '2', base + 1));
    await written(remove(kv, '/w/a', base + 2));
    await watching.reached(base + 3);
    const events = watching.batches.flatMap(({ events }) => events);
    assert.deepEqual(
      events.map(
        ({ type, key, value }) => `${type} ${key} ${value === undefined ? '' : Buffer.from(value).toString()}`,
      ),
      ['put /w/a 1', 'put /w/a 2', 'delete /w/a '],
    );
  });

  it('resumes from each revision', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    for (let index = 1; index <= 12; index += 1)
      await written(put(kv, index % 3 === 0 ? `/other/${index}` : `/w/${index}`, 'x'));
    for (let from = base; from <= base + 12; from += 1) {
      using watching = new RecordingWatch(kv, '/w/', from);
      await written(put(kv, `/w/live/${from}`, 'x'));
      const newest = await kv.currentRevision();
      await watching.reached(newest);
      const expected = [];
      for (let revision = from + 1; revision <= newest; revision += 1) {
        if (revision > base + 12 || (revision - base) % 3 !== 0) expected.push(revision);
      }
      assert.deepEqual(
        watching.batches.map(({ revision }) => revision),
        expected,
      );
    }
  });

  it('starts after the call, not within it', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    await written(put(kv, '/w/a', '1'));
    using watching = new RecordingWatch(kv, '/w/', base);
    assert.deepEqual(watching.calls, []);
    await watching.reached(base + 1);
  });

  it('misses and repeats nothing between replay and live events', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    const total = 4000;
    await Promise.all(Array.from({ length: total / 2 }, (_, index) => put(kv, `/w/${index}`, 'x')));
    const writing = Promise.all(Array.from({ length: total / 2 }, (_, index) => put(kv, `/w/later/${index}`, 'x')));
    const watches = Array.from({ length: 5 }, (_, index) => new RecordingWatch(kv, '/w/', base + index * 300));
    await writing;
    for (const [index, watching] of watches.entries()) {
      await watching.reached(base + total);
      const first = base + index * 300 + 1;
      assert.deepEqual(
        watching.batches.map(({ revision }) => revision),
        Array.from({ length: base + total - first + 1 }, (_, offset) => first + offset),
      );
      watching.stop();
    }
  });

  it('waits for a future revision', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/w/', base + 2);
    for (const name of ['a', 'b', 'c']) await written(put(kv, `/w/${name}`, 'x'));
    await watching.reached(base + 3);
    assert.deepEqual(
      watching.batches.map(({ revision }) => revision),
      [base + 3],
    );
  });

  it('is silent once aborted, even during a replay', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    await Promise.all(Array.from({ length: 10 }, (_, index) => put(kv, `/w/${index}`, 'x')));
    const abort = new AbortController();
    const seen: number[] = [];
    const stopped = new Promise<void>((resolve) => {
      const batch = ({ revision }: { readonly revision: number }): void => {
        seen.push(revision);
        if (seen.length < 3) return;
        abort.abort();
        resolve();
      };
      const sink = { batch, progress: () => seen.push(-1), ended: () => seen.push(-2) };
      kv.watch({ prefix: '/w/', fromRevision: base }, sink, abort.signal);
    });
    await stopped;
    await written(put(kv, '/w/x', 'x'));
    await turns();
    assert.deepEqual(seen, [base + 1, base + 2, base + 3]);
    using never = new RecordingWatch(kv, '/w/', base);
    never.stop();
    kv.watch({ prefix: '/w/', fromRevision: base }, never, AbortSignal.abort());
    await written(put(kv, '/w/y', 'x'));
    await turns();
    assert.deepEqual(never.calls, []);
  });

  it('survives a receiver that throws, without effect on others', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    const fail = (): never => {
      throw new Error('receiver');
    };
    const ended = new Promise<Error>((resolve) => {
      kv.watch(
        { prefix: '/w/', fromRevision: base },
        { batch: fail, progress: () => undefined, ended: resolve },
        new AbortController().signal,
      );
    });
    kv.watch(
      { prefix: '/w/', fromRevision: base },
      { batch: fail, progress: fail, ended: fail },
      new AbortController().signal,
    );
    using watching = new RecordingWatch(kv, '/w/', base);
    await written(put(kv, '/w/a', 'x'));
    await watching.reached(base + 1);
    const error = await ended;
    assert.ok('code' in error);
    assert.equal(error.code, 'unavailable');
    assert.deepEqual(
      watching.batches.map(({ revision }) => revision),
      [base + 1],
    );
  });

  if (!local) return;

  it('delivers before the txn resolves, consistent with a read', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/w/', base);
    const outside = new RecordingWatch(kv, '/other/', base);
    await turns();
    for (let index = 1; index <= 20; index += 1) {
      const revision = await written(put(kv, `/w/${index}`, 'x'));
      assert.equal(watching.revision, revision);
      assert.equal(outside.revision, revision, 'progress after a commit outside of the prefix');
      assert.ok((await kv.currentRevision()) >= revision);
    }
    assert.equal(outside.batches.length, 0);
    outside.stop();
  });

  it('never reports progress ahead of events', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    using watching = new RecordingWatch(kv, '/w/', base);
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => put(kv, index % 2 === 0 ? `/w/${index}` : `/o/${index}`, 'x')),
    );
    let reached = 0;
    for (const call of watching.calls) {
      const [kind, revision] = call.split(' ');
      if (kind === 'batch') assert.ok(Number(revision) > reached, `${call} after ${reached}`);
      else assert.ok(Number(revision) >= reached);
      reached = Number(revision);
    }
    assert.equal(reached, base + 100);
    assert.equal(watching.batches.length, 50);
  });

  it('may be started, used and aborted by a receiver', async () => {
    await using kv = await open({ clock: systemClock });
    const base = await kv.currentRevision();
    let inner: RecordingWatch | undefined;
    let chained: Promise<number> | undefined;
    const abort = new AbortController();
    const batch = (): void => {
      inner ??= new RecordingWatch(kv, '/w/', base);
      chained ??= written(put(kv, '/w/b', 'x'));
      abort.abort();
    };
    kv.watch(
      { prefix: '/w/', fromRevision: base },
      { batch, progress: () => undefined, ended: () => undefined },
      abort.signal,
    );
    await written(put(kv, '/w/a', 'x'));
    assert.equal(await chained, base + 2);
    await inner?.reached(base + 2);
    assert.deepEqual(
      inner?.batches.map(({ revision }) => revision),
      [base + 1, base + 2],
    );
    inner?.stop();
  });
}
