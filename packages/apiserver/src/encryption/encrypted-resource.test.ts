import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KV } from '@binnacle/kv';
import {
  configMap,
  describeWatchCacheModes,
  type TestResource,
  testResource,
  testScope,
  watchedEvents,
} from '../testing/index.js';
import { ANY } from '../request/index.js';
import { EncryptedStore } from './encrypted-store.js';
import { configMapTransformer, keys, plain } from './rules.testing.js';
import type { ResourceTransformer } from './resource-transformers.js';

function encrypted(watchCache = true) {
  const setting = { transformer: configMapTransformer([plain]), reads: 0 };
  const transformer = (): ResourceTransformer => ({
    ...setting.transformer,
    read: (stored, context) => {
      setting.reads++;
      return setting.transformer.read(stored, context);
    },
  });
  const wrapKV = (kv: KV): KV => new EncryptedStore({ kv, resource: 'configmaps', transformer });
  return { setting, resource: testResource({ watchCache, wrapKV }) };
}

async function raw(resource: TestResource, name: string): Promise<string> {
  const { items } = await resource.kv.range({ prefix: `/registry/configmaps/default/${name}`, exact: true });
  return Buffer.from(items[0]?.value ?? []).toString('latin1');
}

/** As a request does it: on the object in the cache, if there is one. */
async function updateWithoutChange(resource: TestResource): Promise<void> {
  const suggestion = await resource.reader.get('default', 'a', ANY);
  await resource.storage.update(suggestion.key, suggestion, (current) => {
    assert.ok(current !== undefined);
    return { type: 'write', object: current.decode() };
  });
}

describeWatchCacheModes('an encrypted resource', ({ watchCache }) => {
  it('is written again without changes when its form is outdated, and only then', async () => {
    const { setting, resource } = encrypted(watchCache);
    await using _ = resource;
    await resource.store.create(testScope(), configMap('a'));
    await resource.cacher.ready();
    for (const [providers, form] of [
      [[keys('aescbc', 'a'), plain], /^k8s:enc:aescbc:v1:a:/],
      [[keys('aesgcm', 'b'), keys('aescbc', 'a'), plain], /^k8s:enc:aesgcm:v1:b:/],
      [[plain, keys('aesgcm', 'b')], /^\{"kind"/],
    ] as const) {
      setting.transformer = configMapTransformer(providers);
      const before = await resource.storage.currentRevision();
      await updateWithoutChange(resource);
      assert.equal(await resource.storage.currentRevision(), before + 1);
      assert.match(await raw(resource, 'a'), form);
      await updateWithoutChange(resource);
      assert.equal(await resource.storage.currentRevision(), before + 1);
    }
  });
});

describe('the cache of an encrypted resource', () => {
  it('decrypts each stored value once, and own writes never', async () => {
    const { setting, resource } = encrypted();
    await using _ = resource;
    setting.transformer = configMapTransformer([keys('aesgcm', 'a')]);
    for (const name of ['a', 'b', 'c']) await resource.store.create(testScope(), configMap(name));
    setting.reads = 0;
    await resource.cacher.ready();
    assert.equal(setting.reads, 3);
    for (let times = 0; times < 3; times++) {
      const { items } = await resource.reader.list({ namespace: 'default' });
      assert.equal(items.length, 3);
      await resource.reader.get('default', 'a', ANY);
    }
    await resource.store.create(testScope(), configMap('d'));
    assert.equal(setting.reads, 3);
  });
});

describe('an object that no key decrypts', () => {
  it('becomes unreadable for itself alone, and can be deleted', async () => {
    const { setting, resource } = encrypted();
    await using _ = resource;
    setting.transformer = configMapTransformer([keys('aesgcm', 'a')]);
    for (const name of ['a', 'b']) await resource.store.create(testScope(), configMap(name));
    await resource.cacher.ready();
    const prefix = '/registry/configmaps/';
    const { revision } = resource.cacher;
    const watch = resource.cacher.watch({ prefix, filter: undefined, fromRevision: revision });
    const { watcher } = watch;
    const key = `${prefix}default/a`;
    const plainText = { type: 'put', value: Buffer.from('{}') } as const;
    const { items } = await resource.kv.range({ prefix: key, exact: true });
    await resource.kv.txn({ key, expectedRevision: items[0]?.modRevision ?? 0, operation: plainText });
    await resource.store.create(testScope(), configMap('c'));
    assert.deepEqual(resource.cacher.damaged, [key]);
    await assert.rejects(resource.reader.get('default', 'a'), { code: 'damaged', message: 'no matching prefix found' });
    await assert.rejects(resource.reader.list({ namespace: 'default' }), {
      code: 'damaged',
      message: `unable to transform key "${key}": no matching prefix found`,
    });
    assert.equal((await resource.reader.get('default', 'b')).key, `${prefix}default/b`);
    await resource.store.deleteUnreadable(testScope(), 'a');
    await assert.rejects(resource.store.deleteUnreadable(testScope(), 'b'), { code: 422 });
    assert.deepEqual(watchedEvents(watcher), [`ADDED c ${revision + 2}`, `DELETED a ${revision + 3}`]);
    assert.equal(watcher.ended, undefined);
    watch.stop();
  });
});
