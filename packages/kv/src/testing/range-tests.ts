import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '@binnacle/apimachinery/clock';
import type { KV } from '../interface/index.js';
import { keysOf, put, text, writeEach, written } from './helpers.js';
import type { OpenKV } from './kv-under-test.js';

async function putAll(kv: KV, keys: readonly string[]): Promise<void> {
  for (const key of keys) await written(put(kv, key, `value of ${key}`));
}

export function rangeTests(open: OpenKV, local: boolean): void {
  it('reads all keys with the prefix, in order, at one revision', async () => {
    await using kv = await open({ clock: systemClock });
    await putAll(kv, ['/range/b', '/range/a', '/range', '/range/a/x', '/rangf', '/other']);
    const { items, revision, count, more } = await kv.range({ prefix: '/range/' });
    assert.deepEqual(
      items.map(({ key }) => key),
      ['/range/a', '/range/a/x', '/range/b'],
    );
    assert.deepEqual(
      items.map(({ value }) => text(value)),
      ['value of /range/a', 'value of /range/a/x', 'value of /range/b'],
    );
    assert.equal(revision, await kv.currentRevision());
    assert.equal(count, 3);
    assert.equal(more, false);
    assert.deepEqual(await keysOf(kv, '/range'), ['/range', '/range/a', '/range/a/x', '/range/b']);
    assert.deepEqual(await keysOf(kv, '/nothing'), []);
  });

  it('reads the whole store with an empty prefix', async () => {
    await using kv = await open({ clock: systemClock });
    const before = await kv.range({ prefix: '', countOnly: true });
    await putAll(kv, ['/b', 'a', '\u{10fffd}']);
    assert.equal((await kv.range({ prefix: '' })).count, before.count + 3);
  });

  it('reads one key with exact', async () => {
    await using kv = await open({ clock: systemClock });
    await putAll(kv, ['/range/a', '/range/ab']);
    const found = await kv.range({ prefix: '/range/a', exact: true });
    assert.deepEqual(
      found.items.map(({ key }) => key),
      ['/range/a'],
    );
    assert.deepEqual([found.count, found.more], [1, false]);
    const absent = await kv.range({ prefix: '/range/', exact: true });
    assert.deepEqual([absent.items.length, absent.count], [0, 0]);
    assert.equal((await kv.range({ prefix: '/range/a', exact: true, countOnly: true })).count, 1);
    assert.equal((await kv.range({ prefix: '', exact: true })).count, 0);
  });

  it('orders by UTF-8 bytes', async () => {
    await using kv = await open({ clock: systemClock });
    const keys = [
      '/u/é',
      '/u/z',
      '/u/\u{ffff}',
      '/u/\u{10000}',
      '/u/\u{10ffff}',
      '/u/\ue000',
      '/u/\ud7ff',
      '/u/a',
      '/u/',
      '/u/aa',
    ];
    await putAll(kv, keys);
    const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(await keysOf(kv, '/u/'), sorted);
    for (const [index, from] of sorted.entries()) {
      const { items, count } = await kv.range({ prefix: '/u/', from, limit: 2 });
      assert.deepEqual(
        items.map(({ key }) => key),
        sorted.slice(index, index + 2),
      );
      assert.equal(count, sorted.length - index);
    }
  });

  it('pages with limit and from; count includes all following keys', async () => {
    await using kv = await open({ clock: systemClock });
    const keys = Array.from({ length: 10 }, (_, index) => `/range/${index}`);
    await putAll(kv, [...keys, '/rangf']);
    const first = await kv.range({ prefix: '/range/', limit: 4 });
    assert.deepEqual(
      first.items.map(({ key }) => key),
      keys.slice(0, 4),
    );
    assert.deepEqual([first.count, first.more], [10, true]);
    const second = await kv.range({ prefix: '/range/', limit: 4, from: '/range/3\0' });
    assert.deepEqual(
      second.items.map(({ key }) => key),
      keys.slice(4, 8),
    );
    assert.deepEqual([second.count, second.more], [6, true]);
    const last = await kv.range({ prefix: '/range/', limit: 4, from: '/range/8' });
    assert.deepEqual(
      last.items.map(({ key }) => key),
      keys.slice(8),
    );
    assert.deepEqual([last.count, last.more], [2, false]);
    const whole = await kv.range({ prefix: '/range/', limit: 10 });
    assert.deepEqual([whole.count, whole.more], [10, false]);
    assert.equal((await kv.range({ prefix: '/range/', limit: 0 })).items.length, 10);
  });

  it('stays within the prefix for any from', async () => {
    await using kv = await open({ clock: systemClock });
    await putAll(kv, ['/range/a', '/range/b', '/zzz']);
    assert.equal((await kv.range({ prefix: '/range/', from: '/a' })).count, 2);
    const beyond = await kv.range({ prefix: '/range/', from: '/z' });
    assert.deepEqual([beyond.items.length, beyond.count, beyond.more], [0, 0, false]);
    assert.equal((await kv.range({ prefix: '/range/', from: '/z', countOnly: true })).count, 0);
  });

  it('counts without reading', async () => {
    await using kv = await open({ clock: systemClock });
    await putAll(kv, ['/range/a', '/range/b', '/range/c']);
    const counted = await kv.range({ prefix: '/range/', countOnly: true, limit: 1 });
    assert.deepEqual([counted.items.length, counted.count, counted.more], [0, 3, false]);
    assert.equal((await kv.range({ prefix: '/range/', countOnly: true, from: '/range/b' })).count, 2);
  });

  it('reads many keys', async () => {
    await using kv = await open({ clock: systemClock });
    const keys = Array.from({ length: 5000 }, (_, index) => `/range/${String(index).padStart(5, '0')}`);
    await writeEach(keys, (key) => put(kv, key, key));
    const reading = kv.range({ prefix: '/range/' });
    const writing = Promise.all([put(kv, '/range/zz', 'later'), put(kv, '/range/00000', 'x', 1)]);
    const { items, count } = await reading;
    await writing;
    // A remote store may see the later write first.
    const found = items.map(({ key }) => key).filter((key) => local || key !== '/range/zz');
    assert.equal(count, items.length);
    assert.deepEqual(found, keys);
    assert.ok(items.every(({ key, value }) => text(value) === (key === '/range/zz' ? 'later' : key)));
  });
}
