import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KV } from '@binnacle/kv';
import { configMap, testResource } from '../testing/index.js';
import type { Change } from './optimistic-update.js';
import type { StoredObject } from './stored-object.js';

const KEY = '/registry/configmaps/default/a';

function writeBack(current: StoredObject | undefined): Change {
  return { type: 'write', object: current?.decode() ?? configMap('a') };
}

describe('ObjectStorage', () => {
  it('updates the stored form of an unchanged object', async () => {
    await using resource = testResource();
    const value = Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u"}}');
    await resource.kv.txn({ key: KEY, expectedRevision: 0, operation: { type: 'put', value } });
    assert.equal((await resource.storage.update(KEY, undefined, writeBack)).changed, true);
    assert.equal((await resource.storage.update(KEY, undefined, writeBack)).changed, false);
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
      assert.deepEqual([resource.cacher.get(KEY), resource.cacher.damaged], [undefined, [KEY]]);
      const stored = await resource.storage.get(KEY);
      assert.equal(stored?.prepare()?.problem, 'undecodable', JSON.stringify(value));
      for (const use of [() => stored?.canonical, () => stored?.labels]) {
        assert.throws(use, { name: 'StorageError', code: 'damaged' });
      }
      await assert.rejects(resource.storage.update(KEY, undefined, writeBack));
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
    const stored = await resource.storage.create(KEY, configMap('a'));
    assert.ok(stored !== undefined);
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
