import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import { configMap, type TestResource, testResource, withMethods } from '../testing/index.js';
import type { Change } from './storage.js';
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

  it('refuses an object that nests too deep to be read in what it is sent in', async () => {
    await using resource = testResource();
    const nested = (levels: number): KubernetesObject => {
      const object = configMap('a');
      let fieldsV1: JsonObject = {};
      for (let level = 0; level < levels; level++) fieldsV1 = { 'f:a': fieldsV1 };
      object.metadata.managedFields = [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsV1 }];
      return object;
    };
    const tooDeep = /nests too deeply/;
    const write = (levels: number) =>
      resource.storage.update(KEY, undefined, () => ({ type: 'write', object: nested(levels) }));
    await assert.rejects(resource.storage.create(KEY, nested(988)), tooDeep);
    await assert.rejects(write(995), tooDeep);
    assert.equal(await resource.storage.get(KEY), undefined);

    await write(980);
    const stored = await resource.storage.get(KEY);
    assert.ok(stored !== undefined);
    const list = Buffer.concat([Buffer.from('{"rows":[{"object":'), stored.json(), Buffer.from('}]}')]);
    assert.ok(parseJson(list).value !== null);
  });

  it('updates the stored form of an unchanged object', async () => {
    await using resource = testResource();
    const value = Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u"}}');
    await resource.kv.txn({ key: KEY, expectedRevision: 0, operation: { type: 'put', value } });
    const rewrite = (current: StoredObject | undefined): Change => ({
      type: 'write',
      object: current?.decode() ?? configMap('a'),
    });
    assert.equal((await resource.storage.update(KEY, undefined, rewrite)).changed, true);
    assert.equal((await resource.storage.update(KEY, undefined, rewrite)).changed, false);
  });

  it('keeps either stored encoding until the next write, which re-encodes it even without changes', async () => {
    await using json = testResource();
    const wrapKV = (): KV => json.kv;
    await using protobuf = testResource({ mediaType: 'application/vnd.kubernetes.protobuf', wrapKV });
    const rewrite = (current: StoredObject | undefined): Change => ({
      type: 'write',
      object: current?.decode() ?? { ...configMap('a', { data: { a: 'b' } }), metadata: { name: 'a', uid: 'u' } },
    });
    const value = async (): Promise<Buffer> => {
      const [item] = (await json.kv.range({ prefix: KEY, exact: true })).items;
      return Buffer.from(item?.value ?? []);
    };
    let text: string | undefined;
    for (const [writer, start] of [
      [json, '{"kind":"ConfigMap"'],
      [protobuf, 'k8s\0'],
      [json, '{"kind":"ConfigMap"'],
      [protobuf, 'k8s\0'],
    ] as const) {
      const result = await writer.storage.update(KEY, undefined, rewrite);
      assert.equal(result.changed, true);
      const bytes = await value();
      assert.equal(bytes.toString('latin1', 0, start.length), start);
      const { revision } = result.stored ?? {};
      for (const reader of [json, protobuf]) {
        const stored = await reader.storage.get(KEY);
        text ??= stored?.canonical.toString();
        assert.equal(stored?.canonical.toString(), text);
        assert.equal(stored?.revision, revision);
      }
      for (const known of [result.stored, await writer.storage.get(KEY), undefined]) {
        const again = await writer.storage.update(KEY, known, rewrite);
        assert.deepEqual([again.changed, again.stored?.revision], [false, revision]);
      }
      assert.deepEqual(await value(), bytes);
    }
  });

  it('deletes an unreadable object in either encoding', async () => {
    for (const value of ['{"apiVersion":"v1","metadata":7}', 'k8s\0', 'k8s\0\x0a\x09', 'k8s\0\x0a\x04\x0a\x02v1']) {
      await using resource = testResource();
      const operation = { type: 'put' as const, value: Buffer.from(value) };
      await resource.kv.txn({ key: KEY, expectedRevision: 0, operation });
      await resource.cacher.ready();
      for (const stored of [await resource.storage.get(KEY), resource.cacher.get(KEY)]) {
        stored?.prepare();
        assert.throws(() => stored?.canonical, JSON.stringify(value));
        assert.throws(() => stored?.labels);
      }
      await assert.rejects(resource.storage.update(KEY, undefined, increment));
      assert.equal((await resource.storage.update(KEY, undefined, () => ({ type: 'delete' }))).changed, true);
      assert.equal(await resource.storage.get(KEY), undefined);
    }
  });

  it('returns nothing for the delete of an absent object or an impossible key', async () => {
    await using resource = testResource();
    const { stored, changed } = await resource.storage.update(KEY, undefined, () => ({ type: 'delete' }));
    assert.deepEqual([stored, changed], [undefined, false]);
    assert.equal(await resource.storage.get(`/registry/configmaps/default/${'x'.repeat(2000)}`), undefined);
  });

  it('deletes under the revision of the delete', async () => {
    await using resource = testResource();
    const stored = await written(resource, 1);
    const result = await resource.storage.update(KEY, stored, () => ({ type: 'delete' }));
    assert.equal(result.stored?.revision, stored.revision + 1);
    assert.equal(await resource.storage.get(KEY), undefined);
  });

  it('reports failures as StorageErrors', async () => {
    const resource = testResource();
    await resource.kv.close();
    await assert.rejects(resource.storage.get(KEY), { name: 'StorageError', code: 'unavailable' });
  });
});
