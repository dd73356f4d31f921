import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoredObject } from '../storage/index.js';
import { answer, configMap, type TestResource, testResource, withMethods } from '../testing/index.js';

const PREFIX = '/registry/configmaps/';
const COUNT = 600;
const padding = 'x'.repeat(1800);

const put = (resource: TestResource, index: number, version: number) =>
  resource.storage.update(`${PREFIX}default/object-${index}`, undefined, () => ({
    type: 'write',
    object: configMap(`object-${index}`, { labels: { app: 'a' }, data: { padding, version: `${version}` } }),
  }));

/** The bytes of the objects, and of all memory kept for them. */
function memoryOf(objects: Iterable<StoredObject>): { live: number; kept: number } {
  let live = 0;
  const memory = new Set<ArrayBufferLike>();
  for (const { canonical } of objects) {
    live += canonical.length;
    memory.add(canonical.buffer);
  }
  return { live, kept: [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0) };
}

/** Writes an object as another server would, with fields in another order. */
const putForeign = (resource: TestResource, index: number): Promise<unknown> => {
  const { kind, apiVersion, ...rest } = configMap(`object-${index}`, { data: { padding } });
  const value = Buffer.from(JSON.stringify({ ...rest, kind, apiVersion }));
  const key = `${PREFIX}default/object-${index}`;
  return resource.kv.txn({ key, expectedRevision: 0, operation: { type: 'put', value } });
};

/** A store without value readers, such as a remote one. */
const remote = (): TestResource => testResource({ wrapKV: (kv) => withMethods(kv, {}) });

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('KeptObjects', () => {
  it('estimates the bytes of its objects', async () => {
    await using resource = testResource();
    await resource.cacher.ready();
    assert.equal(resource.cacher.estimatedBytes, 0);
    for (let index = 0; index < COUNT; index++) await put(resource, index, 0);
    let bytes = 0;
    for (const { size } of resource.cacher.range(PREFIX)) bytes += size;
    const { estimatedBytes } = resource.cacher;
    assert.ok(Math.abs(estimatedBytes - bytes) < bytes / 100, `${estimatedBytes} for ${bytes}`);
  });

  it('takes little more memory than the bytes of its objects, whether built or written', async () => {
    await using resource = remote();
    for (let index = 0; index < COUNT / 2; index++) await put(resource, index, 0);
    await resource.cacher.ready();
    for (let index = COUNT / 2; index < COUNT; index++) await put(resource, index, 0);
    const { live, kept } = memoryOf(resource.cacher.range(PREFIX));
    assert.equal(resource.cacher.size, COUNT);
    assert.ok(kept <= live * 1.15, `${kept} bytes for ${live}`);
  });

  it('canonicalizes foreign objects and keeps the result', {
    timeout: 600_000,
  }, async (context) => {
    await using resource = remote();
    for (let index = 0; index < COUNT; index++) await putForeign(resource, index);
    const canonicalize = context.mock.method(resource.storage.codec, 'canonicalize');
    await resource.cacher.ready();
    assert.equal(canonicalize.mock.callCount(), COUNT);
    const { live, kept } = memoryOf(resource.cacher.range(PREFIX));
    assert.ok(kept <= live * 1.5 + 256 * 1024, `${kept} bytes for ${live}`);
    for (const object of resource.cacher.range(PREFIX)) {
      assert.ok(object.json().toString().startsWith('{"kind":"ConfigMap","apiVersion":"v1","metadata":'));
    }
    assert.equal(canonicalize.mock.callCount(), COUNT);
  });

  it('compacts its memory after changes and deletions', async () => {
    await using resource = remote();
    for (let index = 0; index < COUNT; index++) await put(resource, index, 0);
    await resource.cacher.ready();
    for (let index = 0; index < COUNT; index++) {
      if (index % 10 === 0) continue;
      await put(resource, index, 1);
      await resource.storage.update(`${PREFIX}default/object-${index}`, undefined, () => ({ type: 'delete' }));
    }
    await turns(3);
    const { live, kept } = memoryOf(resource.cacher.range(PREFIX));
    assert.equal(resource.cacher.size, COUNT / 10);
    assert.ok(kept <= live * 1.5 + 256 * 1024, `${kept} bytes for ${live}`);
    for (const object of resource.cacher.range(PREFIX)) assert.ok(object.json().includes(padding));
  });

  it('serves lists by label and watches without decoding an object', async (context) => {
    await using resource = testResource();
    for (let index = 0; index < 20; index++) await put(resource, index, 0);
    await resource.cacher.ready();
    const decode = context.mock.method(resource.storage.codec, 'decode');
    const url = '/api/v1/namespaces/default/configmaps';
    const lists = [url, `${url}?labelSelector=app%3Da`];
    for (const target of lists) {
      const { body } = await answer(resource.endpoint, { url: target });
      assert.equal((JSON.parse(body) as { items: unknown[] }).items.length, 20);
    }
    const watch = `${url}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`;
    const watching = answer(resource.endpoint, { url: watch });
    await turns(5);
    resource.cacher.stop();
    assert.equal((await watching).body.trim().split('\n').length, 20);
    assert.equal(decode.mock.callCount(), 0);
  });
});
