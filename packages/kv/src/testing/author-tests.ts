import assert from 'node:assert/strict';
import { it } from 'node:test';
import { VirtualClock } from '@binnacle/apimachinery/clock';
import type { HistoryEvent, HistoryRequest, KV } from '../interface/index.js';
import { bytes, describeBatch, historyOf, put, rejects, remove, revisionAt, text, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

const UUID = '0a1b2c3d-0000-4000-8000-00112233ffee';

function writeAs(kv: KV, key: string, value: string, name: string, mark = '', expectedRevision = 0): Promise<number> {
  const operation = { type: 'put', value: bytes(value) } as const;
  return written(kv.txn({ key, expectedRevision, operation, author: { name, mark } }));
}

const line = (event: HistoryEvent): string => {
  const who =
    event.author === undefined ? '' : ` by ${event.author.name}${event.author.mark && ` ${event.author.mark}`}`;
  return `${describeBatch({ revision: event.revision, events: [event] })}${who}`;
};

/** `inProcess`: the store can be forked. */
export function authorTests(open: OpenKV, inProcess: boolean): void {
  it('tells the events of the past, newest first, with their authors', async () => {
    const clock = new VirtualClock(1_000_000);
    await using kv = await open({ clock });
    const base = await kv.currentRevision();
    await writeAs(kv, '/a/x', '1', 'ann', UUID);
    clock.skip(1000);
    await writeAs(kv, '/a/y', '1', 'bob', 'no uuid');
    await writeAs(kv, '/a/x', '2', 'ann', '', base + 1);
    await written(put(kv, '/b', '1'));
    clock.skip(1000);
    await written(remove(kv, '/a/x', base + 3));
    await writeAs(kv, '/a/x', '3', 'ümläut', UUID.toUpperCase());
    const page = await historyOf(kv, { prefix: '/a/', limit: 10, after: base });
    assert.deepEqual(page.events.map(line), [
      `${base + 6} put /a/x ${base + 6} 3 by ümläut ${UUID.toUpperCase()}`,
      `${base + 5} delete /a/x ${base + 1} (was ${base + 1} ${base + 3} 2)`,
      `${base + 3} put /a/x ${base + 1} 2 (was ${base + 1} ${base + 1} 1) by ann`,
      `${base + 2} put /a/y ${base + 2} 1 by bob no uuid`,
      `${base + 1} put /a/x ${base + 1} 1 by ann ${UUID}`,
    ]);
    assert.deepEqual(
      page.events.map(({ time }) => time),
      [1_002_000, 1_002_000, 1_001_000, 1_001_000, 1_000_000],
    );
    assert.deepEqual([page.revision, page.after, page.next], [base + 6, base, undefined]);
  });

  it('pages through the events of one key, or of all, between two revisions', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const base = await kv.currentRevision();
    for (let index = 0; index < 9; index += 1) {
      const isSecond = index % 3 !== 0;
      const expected = index === 0 || isSecond ? 0 : base + index - 2;
      await writeAs(kv, isSecond ? `/a/x${index}` : '/a/x', `${index}`, 'ann', '', expected);
    }
    const pages = async (request: Omit<HistoryRequest, 'limit'>): Promise<string[]> => {
      const found: string[] = [];
      let before = request.before;
      do {
        const { events, next } = await historyOf(kv, {
          ...request,
          limit: 2,
          ...(before === undefined ? {} : { before }),
        });
        assert.ok(events.length <= 2);
        found.push(...events.map(({ value }) => text(value) ?? ''));
        before = next;
      } while (before !== undefined);
      return found;
    };
    assert.deepEqual(await pages({ prefix: '/a/', after: base }), ['8', '7', '6', '5', '4', '3', '2', '1', '0']);
    assert.deepEqual(await pages({ prefix: '/a/x', exact: true, after: base }), ['6', '3', '0']);
    assert.deepEqual(await pages({ prefix: '/a/', after: base + 3, before: base + 7 }), ['5', '4', '3']);
    assert.deepEqual(await pages({ prefix: '/none/', after: base }), []);
  });

  it('tells nothing from before a compaction, and keeps what later events refer to', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const first = await writeAs(kv, '/a/x', '1', 'ann');
    const second = await writeAs(kv, '/a/x', '2', 'bob', '', first);
    await kv.compact(first);
    const { events, after } = await historyOf(kv, { prefix: '/a/', limit: 10 });
    assert.deepEqual(events.map(line), [`${second} put /a/x ${first} 2 (was ${first} ${first} 1) by bob`]);
    assert.equal(after, first);
    await rejects(historyOf(kv, { prefix: '/a/', limit: 10, after: first - 1 }), 'compacted');
    await rejects(historyOf(kv, { prefix: '/a/', limit: 10, before: first }), 'compacted');
    await rejects(historyOf(kv, { prefix: '/a/', limit: 10, after: second + 1 }), 'future');
    await rejects(historyOf(kv, { prefix: '/a/', limit: 10, before: second + 2 }), 'future');
    await assert.rejects(historyOf(kv, { prefix: '/a/', limit: 0 }), RangeError);
    await assert.rejects(writeAs(kv, '/a/y', '1', 'x'.repeat(1025)), RangeError);
  });

  it('finds the newest revision at a time', async () => {
    const clock = new VirtualClock(5_000_000);
    await using kv = await open({ clock });
    const base = await kv.currentRevision();
    for (let second = 0; second < 10; second += 1) {
      await written(put(kv, `/a/${second}`, ''));
      await written(put(kv, `/a/${second}b`, ''));
      clock.skip(1000);
    }
    const at = (milliseconds: number) => revisionAt(kv, 5_000_000 + milliseconds);
    assert.equal(await at(0), base + 2);
    assert.equal(await at(999), base + 2);
    assert.equal(await at(1000), base + 4);
    assert.equal(await at(3_600_000), base + 20);
    await kv.compact(base + 6);
    assert.equal(await at(2000), base + 6);
    assert.equal(await at(3500), base + 8);
    await rejects(at(1999), 'compacted');
  });

  if (!inProcess) return;

  it('keeps the authors of a fork apart', async () => {
    await using kv = await open({ clock: new VirtualClock() });
    const base = await writeAs(kv, '/a/x', '1', 'ann');
    assert.ok(kv.fork !== undefined);
    await using fork = kv.fork();
    await writeAs(kv, '/a/x', '2', 'bob', '', base);
    await writeAs(fork, '/a/x', '3', 'cid', '', base);
    const { events } = await historyOf(fork, { prefix: '/a/x', exact: true, limit: 2 });
    assert.deepEqual(
      events.map(({ author }) => author?.name),
      ['cid', 'ann'],
    );
  });
}
