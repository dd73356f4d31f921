import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import { configMap, type TestResource, testResource, withMethods } from '../testing/index.js';
import type { Change } from './optimistic-update.js';
import type { StoredObject } from './stored-object.js';

const KEY = '/registry/configmaps/default/a';

function withCount(current: StoredObject | undefined, count: number): Change {
  const object: KubernetesObject = current?.decode() ?? configMap('a');
  object.metadata.uid = 'u';
  object.data = { count: String(count) };
  return { type: 'write', object };
}

const countOf = (stored: StoredObject | undefined): number =>
  Number((stored?.decode().data as { count?: string } | undefined)?.count ?? 0);

const increment = (current: StoredObject | undefined): Change => withCount(current, countOf(current) + 1);

async function written(resource: TestResource, count: number): Promise<StoredObject> {
  const { stored } = await resource.storage.update(KEY, undefined, (current) => withCount(current, count));
  assert.ok(stored !== undefined);
  return stored;
}

describe('ObjectStorage.update', () => {
  it('loses no concurrent increment', async () => {
    await using resource = testResource();
    await Promise.all(Array.from({ length: 40 }, () => resource.storage.update(KEY, undefined, increment)));
    assert.equal(countOf(await resource.storage.get(KEY)), 40);
  });

  it('starts over with the newest state after a lost comparison', async () => {
    let interfere: (() => Promise<unknown>) | undefined;
    const wrapKV = (kv: KV): KV =>
      withMethods(kv, {
        txn: async (...parameters) => {
          const first = interfere;
          interfere = undefined;
          await first?.();
          return kv.txn(...parameters);
        },
      });
    await using resource = testResource({ wrapKV });
    await written(resource, 1);
    const seen: number[] = [];
    interfere = () => written(resource, 10);
    const result = await resource.storage.update(KEY, await resource.storage.get(KEY), (current) => {
      seen.push(countOf(current));
      return increment(current);
    });
    assert.deepEqual(seen, [1, 10]);
    assert.equal(countOf(result.stored), 11);

    interfere = async () => resource.storage.update(KEY, undefined, () => ({ type: 'delete' }));
    const again = await resource.storage.update(KEY, result.stored, increment);
    assert.equal(countOf(again.stored), 1, 'it was deleted and re-created');
  });

  it('asks again when a stale suggestion is refused, but not when a fresh one is', async () => {
    await using resource = testResource();
    const stale = await written(resource, 1);
    await written(resource, 2);
    const asked: number[] = [];
    const refuseOne = (current: StoredObject | undefined): Change => {
      asked.push(countOf(current));
      if (countOf(current) === 1) throw new Error('one is refused');
      return increment(current);
    };
    assert.equal(countOf((await resource.storage.update(KEY, stale, refuseOne)).stored), 3);
    assert.deepEqual(asked, [1, 2]);

    await written(resource, 1);
    asked.length = 0;
    await assert.rejects(resource.storage.update(KEY, await resource.storage.get(KEY), refuseOne), /one is refused/);
    assert.deepEqual(asked, [1]);
  });

  it('releases the claims of every change but the last, which the caller owns', async () => {
    let interfere: (() => Promise<unknown>) | undefined;
    const wrapKV = (kv: KV): KV =>
      withMethods(kv, {
        txn: async (...parameters) => {
          const first = interfere;
          interfere = undefined;
          await first?.();
          return kv.txn(...parameters);
        },
      });
    await using resource = testResource({ wrapKV });
    const released: number[] = [];
    let claimed = 0;
    const claiming = (change: Change): Change => {
      const claim = ++claimed;
      return { ...change, claims: { release: () => void released.push(claim) } };
    };
    const stale = await written(resource, 1);
    interfere = () => written(resource, 10);
    await resource.storage.update(KEY, stale, (current) => claiming(increment(current)));
    assert.deepEqual([claimed, released], [2, [1]], 'a lost comparison');

    await resource.storage.update(KEY, stale, () => claiming({ type: 'nothing' }));
    assert.deepEqual([claimed, released], [4, [1, 3]], 'nothing on a stale suggestion');

    interfere = () => Promise.reject(new Error('the store is gone'));
    await assert.rejects(
      resource.storage.update(KEY, undefined, (current) => claiming(increment(current))),
      /store is gone/,
    );
    assert.deepEqual([claimed, released], [5, [1, 3, 5]], 'a failed write');
  });

  it('writes nothing when nothing changes, judged on the newest state', async () => {
    await using resource = testResource();
    const first = await written(resource, 1);
    const same = await resource.storage.update(KEY, first, (current) => withCount(current, 1));
    assert.equal(same.changed, false);
    assert.equal(same.stored?.revision, first.revision);

    await written(resource, 2);
    const back = await resource.storage.update(KEY, first, (current) => withCount(current, 1));
    assert.equal(back.changed, true, 'what equals a stale suggestion is still a change');

    const decided: number[] = [];
    const nothing = await resource.storage.update(KEY, first, (current) => {
      decided.push(current?.revision ?? 0);
      return { type: 'nothing' };
    });
    assert.deepEqual(decided, [first.revision, back.stored?.revision]);
    assert.equal(nothing.stored?.revision, back.stored?.revision);
  });
});
